"""A small convolutional classifier with batch norm and dropout, trained by flax's nnx and optax."""

import jax
import jax.numpy as jnp
import optax
from flax import nnx


class Classifier(nnx.Module):
    def __init__(self, rngs: nnx.Rngs):
        self.conv = nnx.Conv(1, 8, kernel_size=(3, 3), rngs=rngs)
        self.norm = nnx.BatchNorm(8, rngs=rngs)
        self.dropout = nnx.Dropout(0.1, rngs=rngs)
        self.dense = nnx.Linear(8 * 4 * 4, 4, rngs=rngs)

    def __call__(self, x):
        x = nnx.avg_pool(nnx.relu(self.norm(self.conv(x))), (2, 2), (2, 2))
        return self.dense(self.dropout(x.reshape(x.shape[0], -1)))


model = Classifier(nnx.Rngs(0))
optimizer = nnx.Optimizer(model, optax.sgd(0.05, momentum=0.9), wrt=nnx.Param)
labels = jnp.arange(32) % 4
images = jax.random.normal(jax.random.key(1), (32, 8, 8, 1)) + labels[:, None, None, None]


@nnx.jit
def step(model, optimizer, images, labels):
    def loss_of(model):
        return optax.softmax_cross_entropy_with_integer_labels(model(images), labels).mean()

    loss, slopes = nnx.value_and_grad(loss_of)(model)
    optimizer.update(model, slopes)
    return loss


for _ in range(10):
    print(float(step(model, optimizer, images, labels)))
