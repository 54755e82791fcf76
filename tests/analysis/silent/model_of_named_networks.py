"""Networks in a dict, registered as attributes by name, with losses parsed from text and a mode for each call."""

import tensorflow as tf


class Model(tf.keras.Model):
    def __init__(self, losses="1e-1l1,l2", debug=False):
        super().__init__()
        self.debug = debug
        self.net = {
            "mlp": [tf.keras.layers.Dense(4, "relu"), tf.keras.layers.Dense(3)],
            "out": [tf.keras.layers.Dense(1)],
        }
        self.weighted = [self._parse(x) for x in losses.split(",")]
        self.register_trainable()

    @staticmethod
    def _parse(text):
        for i in range(len(text), -1, -1):
            try:
                weight = float(text[:i])
            except ValueError:
                continue
            return text[i:], weight
        return text, 1.0

    def register_trainable(self):
        for net_name, layers in self.net.items():
            for i, layer in enumerate(layers):
                name = f"net_{net_name}_layer{i}"
                assert not hasattr(self, name), f"Can't register `{name}`"
                setattr(self, name, layer)

    @staticmethod
    def _validate_mode(mode):
        if mode not in ("train", "vali", "test"):
            raise ValueError(mode)

    def call(self, batch, mode="train"):
        self._validate_mode(mode)
        ids, xyz, target = batch
        y = xyz
        for i, layer in enumerate(self.net["mlp"]):
            y_ = layer(y)
            y = y_ if i == 0 else tf.concat((y_, xyz), -1)
        pred = {"rgb": y, "alpha": self.net["out"][0](y)}
        if mode == "test":
            return pred, None, {}
        gt = {"rgb": target}
        loss_kwargs = {"keep_batch": mode == "vali"}
        to_vis = {"id": ids, "pred": pred["rgb"]} if mode == "vali" else {}
        return pred, (gt, loss_kwargs), to_vis

    def compute_losses(self, pred, gt, **kwargs):
        keep_batch = kwargs.pop("keep_batch", False)
        loss = 0
        for name, weight in self.weighted:
            diff = pred["rgb"][..., :3] - gt["rgb"]
            each = tf.abs(diff) if name == "l1" else diff**2
            loss += weight * (tf.reduce_mean(each, axis=-1) if keep_batch else tf.reduce_mean(each))
        loss += 0.01 * tf.reduce_mean(pred["alpha"])
        return loss


model, optimizer = Model(), tf.keras.optimizers.SGD()


@tf.function
def train_step(batch):
    with tf.GradientTape() as tape:
        pred, (gt, loss_kwargs), _ = model(batch, mode="train")
        loss = model.compute_losses(pred, gt, **loss_kwargs)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss


def drive():
    dataset = tf.data.Dataset.from_tensors((tf.constant(["a", "b"]), tf.ones([2, 3]), tf.zeros([2, 3]))).repeat(2)
    for batch in dataset:
        loss = train_step(batch)
        pred, (gt, kwargs), to_vis = model(batch, mode="vali")
        assert model.compute_losses(pred, gt, **kwargs).shape == [2] and loss.shape == []
    print([x.numpy().decode() for x in to_vis["id"]])
