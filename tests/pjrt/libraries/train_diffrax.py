"""A neural differential equation that learns a damped oscillation, with an adaptive step."""

import diffrax
import equinox as eqx
import jax
import jax.numpy as jnp
import optax


class Field(eqx.Module):
    network: eqx.nn.MLP

    def __call__(self, t, y, args):
        return self.network(y)


times = jnp.linspace(0, 3, 12)
starts = jnp.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.5]])


def solve(field, start):
    return diffrax.diffeqsolve(
        diffrax.ODETerm(field),
        diffrax.Tsit5(),
        t0=0,
        t1=3,
        dt0=0.1,
        y0=start,
        saveat=diffrax.SaveAt(ts=times),
        stepsize_controller=diffrax.PIDController(rtol=1e-3, atol=1e-4),
    ).ys


matrix = jnp.array([[-0.1, 2.0], [-2.0, -0.1]])
wanted = jax.vmap(lambda start: solve(lambda t, y, args: matrix @ y, start))(starts)
field = Field(eqx.nn.MLP(2, 2, 16, 1, activation=jnp.tanh, key=jax.random.key(6)))
optimizer = optax.adam(0.02)
state = optimizer.init(eqx.filter(field, eqx.is_inexact_array))


@eqx.filter_jit
def step(field, state):
    loss, slopes = eqx.filter_value_and_grad(
        lambda f: jnp.mean((jax.vmap(lambda s: solve(f, s))(starts) - wanted) ** 2)
    )(field)
    updates, state = optimizer.update(slopes, state)
    return eqx.apply_updates(field, updates), state, loss


for _ in range(6):
    field, state, loss = step(field, state)
    print(float(loss))
