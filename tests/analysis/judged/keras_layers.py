"""What Keras' layers, cells, losses and metrics give: dtypes, and shapes by what a layer was made with."""

import tensorflow as tf

layers = tf.keras.layers
rows = tf.zeros([4, 6])
whole_rows = tf.zeros([4, 6], tf.int32)
doubles = tf.zeros([4, 6], tf.float64)
text_like = tf.zeros([4, 5], tf.int64)
sequence = tf.zeros([2, 5, 3])
image = tf.zeros([2, 9, 8, 3])
volume = tf.zeros([2, 5, 6, 7, 1])

dense = layers.Dense(7)(rows)
dense_named = layers.Dense(units=2, activation="relu")(sequence)
dense_of_doubles = layers.Dense(3)(doubles)
dense_in_doubles = layers.Dense(3, dtype="float64")(rows)
dense_in_halves = layers.Dense(3, dtype=tf.float16)(rows)
embedded = layers.Embedding(10, 4)(text_like)
embedded_named = layers.Embedding(input_dim=10, output_dim=2)(whole_rows)
flat = layers.Flatten()(image)
flat_rows = layers.Flatten()(rows)
flat_numbers = layers.Flatten()(whole_rows)
reshaped = layers.Reshape((3, 2))(rows)
reshaped_named = layers.Reshape(target_shape=(6, 1))(rows)
reshaped_rest = layers.Reshape((-1, 2))(rows)

last_state = layers.LSTM(4)(sequence)
all_states = layers.LSTM(4, return_sequences=True)(sequence)
of_lstm = layers.LSTM(4, return_state=True)(sequence)
lstm_out, lstm_h, lstm_c = layers.LSTM(units=4, return_state=True, return_sequences=True)(sequence)
gru = layers.GRU(2)(sequence)
gru_out, gru_h = layers.GRU(2, return_state=True)(sequence)
simple = layers.SimpleRNN(3, return_sequences=True)(sequence)
step = tf.zeros([2, 3])
cell_out, cell_states = layers.LSTMCell(4)(step, [tf.zeros([2, 4]), tf.zeros([2, 4])])
of_cell_states = cell_states[1]
gru_cell_out, gru_cell_state = layers.GRUCell(4)(step, tf.zeros([2, 4]))
gru_cell_listed, gru_cell_states = layers.GRUCell(4)(step, [tf.zeros([2, 4])])
of_gru_cell_states = gru_cell_states[0]
simple_cell_out, simple_cell_states = layers.SimpleRNNCell(5)(step, states=[tf.zeros([2, 5])])

convolved = layers.Conv2D(4, 3)(image)
convolved_same = layers.Conv2D(4, 3, padding="same")(image)
convolved_strided = layers.Conv2D(4, (3, 2), strides=(2, 1))(image)
convolved_same_strided = layers.Conv2D(4, 3, 2, "same")(image)
convolved_spread = layers.Conv2D(4, 3, dilation_rate=2)(image)
convolved_line = layers.Conv1D(filters=6, kernel_size=2)(sequence)
convolved_causal = layers.Conv1D(6, 2, padding="causal")(sequence)
convolved_volume = layers.Conv3D(2, 3)(volume)
pooled = layers.MaxPooling2D()(image)
pooled_sized = layers.MaxPool2D(3)(image)
pooled_strided = layers.AveragePooling2D((2, 3), strides=1)(image)
pooled_same = layers.AvgPool2D(2, padding="same")(image)
pooled_line = layers.MaxPooling1D(2)(sequence)
averaged_line = layers.AveragePooling1D(2, 1)(sequence)
over_all = layers.GlobalAveragePooling2D()(image)
most_of_all = layers.GlobalMaxPool2D()(image)
kept_axes = layers.GlobalMaxPooling2D(keepdims=True)(image)
over_line = layers.GlobalAveragePooling1D()(sequence)
most_of_line = layers.GlobalMaxPooling1D()(sequence)

dropped = layers.Dropout(0.5)(rows)
dropped_doubles = layers.Dropout(0.5)(doubles)
dropped_space = layers.SpatialDropout1D(0.5)(sequence)
noisy = layers.GaussianNoise(0.1)(rows)
activated = layers.Activation("relu")(rows)
rectified = layers.ReLU()(image)
leaky = layers.LeakyReLU(0.2)(rows)
soft = layers.Softmax()(rows)
normalized = layers.BatchNormalization()(image)
normalized_rows = layers.LayerNormalization()(doubles)
united = layers.UnitNormalization()(rows)

added = layers.Add()([rows, tf.ones([4, 6])])
added_wide = layers.Add()([rows, tf.ones([4, 1])])
multiplied = layers.Multiply()((rows, rows))
averaged = layers.Average()([rows, rows, rows])
greatest = layers.Maximum()([image, image])
difference = layers.Subtract()([rows, rows])
joined = layers.Concatenate()([rows, tf.zeros([4, 2])])
joined_first = layers.Concatenate(axis=0)([rows, tf.zeros([1, 6])])
joined_last = layers.Concatenate(axis=-1)([image, image])
joined_numbers = layers.Concatenate()([whole_rows, whole_rows])

net = tf.keras.Sequential([layers.Dense(5), layers.ReLU(), layers.Dense(2)])
of_net = net(rows)
begun = tf.keras.Sequential([layers.Input((6,)), layers.Dense(3)])
of_begun = begun(rows)
grown = tf.keras.Sequential([layers.Dense(5)])
before_growing = grown(rows)
grown.add(layers.Dense(1))
once_grown = grown(rows)

entry = tf.keras.Input((6,))
hidden = layers.Dense(3)(entry)
model = tf.keras.Model(entry, hidden)
of_model = model(rows)

truth, guess = tf.zeros([4, 1]), tf.ones([4, 1])
loss = tf.keras.losses.MeanSquaredError()(truth, guess)
loss_of_each = tf.keras.losses.MeanSquaredError(reduction="none")(truth, guess)
entropy = tf.keras.losses.BinaryCrossentropy(from_logits=True)(truth, guess)
mean = tf.keras.metrics.Mean()
mean.update_state(2.0)
of_mean = mean.result()
accuracy = tf.keras.metrics.SparseCategoricalAccuracy()
accuracy.update_state([0, 1], [[0.9, 0.1], [0.2, 0.8]])
of_accuracy = accuracy.result()


class Twice(layers.Layer):
    def call(self, inputs, training=None):
        doubled = inputs * 2.0
        return doubled


class Fit(tf.keras.losses.Loss):
    def call(self, y_true, y_pred):
        off = y_true - y_pred
        return tf.reduce_mean(off)


of_twice = Twice()(rows)
of_twice_doubles = Twice()(doubles)
of_fit = Fit()(truth, guess)
finished = True
