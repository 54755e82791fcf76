"""Image augmentations over batches or single images, one picked at random in the graph for each image."""

import tensorflow as tf
from tensorflow import keras

IMAGES, LABELS = "images", "labels"


class Augmentation(keras.layers.Layer):
    def __init__(self, vectorize=True, **kwargs):
        super().__init__(**kwargs)
        self.vectorize = vectorize

    def get_random_transformation(self, image=None):
        return None

    def augment_image(self, image, transformation):
        raise NotImplementedError()

    def _augment(self, inputs):
        image, label = inputs[IMAGES], inputs.get(LABELS, None)
        transformation = self.get_random_transformation(image=image)
        result = {IMAGES: self.augment_image(image, transformation)}
        if label is not None:
            result[LABELS] = label
        for key in inputs.keys() - result.keys():
            result[key] = inputs[key]
        return result

    def call(self, inputs):
        is_dict = not tf.is_tensor(inputs)
        inputs = dict(inputs) if is_dict else {IMAGES: inputs}
        if inputs[IMAGES].shape.rank == 3:
            outputs = self._augment(inputs)
        elif inputs[IMAGES].shape.rank == 4:
            outputs = (tf.vectorized_map if self.vectorize else tf.map_fn)(self._augment, inputs)
        else:
            raise ValueError(f"Expected rank 3 or 4, got {inputs[IMAGES].shape}")
        return outputs if is_dict else outputs[IMAGES]


class Brightness(Augmentation):
    def get_random_transformation(self, image=None):
        return tf.random.uniform([], -0.5, 0.5)

    def augment_image(self, image, transformation):
        return tf.clip_by_value(image + transformation, 0.0, 1.0)


class Flip(Augmentation):
    def augment_image(self, image, transformation):
        return tf.reverse(image, [1])


class RandomChoice(Augmentation):
    def __init__(self, layers, **kwargs):
        super().__init__(vectorize=False, **kwargs)
        self.layers = layers

    def _augment(self, inputs):
        selected = tf.random.uniform((), 0, len(self.layers), dtype=tf.int32)
        branches = [(i, lambda layer=layer: layer(inputs)) for i, layer in enumerate(self.layers)]
        return tf.switch_case(branch_index=selected, branch_fns=branches, default=lambda: inputs)


def drive():
    choice = RandomChoice([Brightness(), Flip()])
    images = tf.random.uniform([4, 8, 8, 3])
    dataset = tf.data.Dataset.from_tensor_slices({IMAGES: images, LABELS: tf.range(4)}).map(choice).batch(2)
    for batch in dataset:
        assert batch[IMAGES].shape == [2, 8, 8, 3]
    assert Flip()(images).shape == choice(images).shape
