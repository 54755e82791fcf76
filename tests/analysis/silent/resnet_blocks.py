"""Residual blocks with an optional projection, in a subclassed model."""

import tensorflow as tf
from tensorflow.keras import layers


class BasicBlock(layers.Layer):
    def __init__(self, filters, stride=1):
        super().__init__()
        self.conv1 = layers.Conv2D(filters, 3, strides=stride, padding="same")
        self.bn1 = layers.BatchNormalization()
        self.conv2 = layers.Conv2D(filters, 3, strides=1, padding="same")
        self.bn2 = layers.BatchNormalization()
        if stride != 1:
            self.downsample = tf.keras.Sequential([layers.Conv2D(filters, 1, strides=stride)])
        else:
            self.downsample = lambda x: x

    def call(self, inputs, training=None):
        out = tf.nn.relu(self.bn1(self.conv1(inputs), training=training))
        out = self.bn2(self.conv2(out), training=training)
        identity = self.downsample(inputs)
        return tf.nn.relu(layers.add([out, identity]))


class ResNet(tf.keras.Model):
    def __init__(self, dims, classes=5):
        super().__init__()
        self.stem = tf.keras.Sequential([layers.Conv2D(4, 3, padding="same"), layers.Activation("relu")])
        self.stages = []
        for filters, blocks, stride in dims:
            self.stages.append(self.make(filters, blocks, stride))
        self.pool, self.fc = layers.GlobalAveragePooling2D(), layers.Dense(classes)

    def make(self, filters, blocks, stride):
        res = tf.keras.Sequential()
        res.add(BasicBlock(filters, stride))
        for _ in range(1, blocks):
            res.add(BasicBlock(filters))
        return res

    def call(self, x, training=None):
        x = self.stem(x, training=training)
        for stage in self.stages:
            x = stage(x, training=training)
        return self.fc(self.pool(x))


def drive():
    model = ResNet([(4, 2, 1), (8, 1, 2)])
    step = tf.function(lambda x: model(x, training=True))
    step(tf.ones([2, 8, 8, 3]))
    model(tf.ones([1, 8, 8, 3]), training=False)
