"""A recurrent network that tells sequences apart, as a module of equinox."""

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from jax import lax


class Recurrent(eqx.Module):
    cell: eqx.nn.GRUCell
    linear: eqx.nn.Linear

    def __init__(self, key):
        first, second = jax.random.split(key)
        self.cell = eqx.nn.GRUCell(2, 12, key=first)
        self.linear = eqx.nn.Linear(12, 1, key=second)

    def __call__(self, sequence):
        state, _ = lax.scan(lambda state, x: (self.cell(x, state), None), jnp.zeros(12), sequence)
        return jax.nn.sigmoid(self.linear(state))[0]


@eqx.filter_value_and_grad
def loss_of(model, x, y):
    p = jax.vmap(model)(x)
    return -jnp.mean(y * jnp.log(p) + (1 - y) * jnp.log(1 - p))


@eqx.filter_jit
def step(model, state, x, y):
    loss, slopes = loss_of(model, x, y)
    updates, state = optimizer.update(slopes, state)
    return eqx.apply_updates(model, updates), state, loss


turns = jnp.linspace(0, 6, 16)
y = jnp.arange(32) % 2
angles = jnp.where(y[:, None] == 1, turns, -turns) + jnp.arange(32)[:, None]
x = jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1)
model, optimizer = Recurrent(jax.random.key(2)), optax.adam(0.02)
state = optimizer.init(eqx.filter(model, eqx.is_array))
for number in range(30):
    model, state, loss = step(model, state, x, y)
    if number % 3 == 0:
        print(float(loss))
