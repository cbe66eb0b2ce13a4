"""Optimizers written by users: AMSGrad, a wrapper that clips, a subclass of a fused one."""

from __future__ import print_function

import numpy as np
import tensorflow as tf
from tensorflow.python.eager import context
from tensorflow.python.framework import ops
from tensorflow.python.ops import (
    control_flow_ops,
    math_ops,
    resource_variable_ops,
    state_ops,
)
from tensorflow.python.training import optimizer


class AMSGrad(optimizer.Optimizer):
    def __init__(
        self,
        learning_rate=0.01,
        beta1=0.9,
        beta2=0.99,
        epsilon=1e-8,
        use_locking=False,
        name="AMSGrad",
    ):
        super(AMSGrad, self).__init__(use_locking, name)
        self._lr, self._beta1, self._beta2, self._epsilon = learning_rate, beta1, beta2, epsilon
        self._lr_t = self._beta1_t = self._beta2_t = self._epsilon_t = None

    def _create_slots(self, var_list):
        first_var = min(var_list, key=lambda x: x.name)
        None if context.executing_eagerly() else ops.get_default_graph()
        self._create_non_slot_variable(self._beta1, "beta1_power", first_var)
        self._create_non_slot_variable(self._beta2, "beta2_power", first_var)
        for v in var_list:
            self._zeros_slot(v, "m", self._name)
            self._get_or_make_slot(
                v, tf.ones_like(v.initialized_value()) * 0.1, "v", self._name + "V"
            )
            self._get_or_make_slot_with_initializer(
                v, tf.constant_initializer(0.5), v.shape, v.dtype.base_dtype, "vhat", self._name
            )

    def _prepare(self):
        self._lr_t = ops.convert_to_tensor(self._call_if_callable(self._lr), name="learning_rate")
        self._beta1_t = ops.convert_to_tensor(self._beta1)
        self._beta2_t = ops.convert_to_tensor(self._beta2, name="b2")
        self._epsilon_t = ops.convert_to_tensor(self._epsilon)

    def _power(self, name):
        return self._get_non_slot_variable(name, graph=ops.get_default_graph())

    def _apply_dense(self, grad, var):
        dt = var.dtype.base_dtype
        lr = math_ops.cast(self._lr_t, dt)
        b1 = math_ops.cast(self._beta1_t, dt)
        b2 = math_ops.cast(self._beta2_t, dt)
        eps = math_ops.cast(self._epsilon_t, dt)
        lr = (
            lr
            * math_ops.sqrt(1 - math_ops.cast(self._power("beta2_power"), dt))
            / (1 - math_ops.cast(self._power("beta1_power"), dt))
        )
        m = self.get_slot(var, "m")
        v = self.get_slot(var, "v")
        vhat = self.get_slot(var, "vhat")
        m_t = state_ops.assign(m, m * b1 + grad * (1 - b1), use_locking=self._use_locking)
        v_t = state_ops.assign(v, v * b2 + grad * grad * (1 - b2), use_locking=self._use_locking)
        vhat_t = state_ops.assign(vhat, math_ops.maximum(v_t, vhat))
        up = state_ops.assign_sub(
            var, lr * m_t / (math_ops.sqrt(vhat_t) + eps), use_locking=self._use_locking
        )
        return control_flow_ops.group(*[up, m_t, v_t, vhat_t])

    def _resource_apply_dense(self, grad, var):
        return self._apply_dense(grad, var)

    def _apply_sparse_shared(self, grad, var, indices, scatter_add):
        dt = var.dtype.base_dtype
        b1 = math_ops.cast(self._beta1_t, dt)
        lr = math_ops.cast(self._lr_t, dt)
        m = self.get_slot(var, "m")
        m_t = state_ops.assign(m, m * b1)
        with ops.control_dependencies([m_t]):
            m_t = scatter_add(m, indices, grad * (1 - b1))
        up = state_ops.assign_sub(var, lr * m_t)
        return control_flow_ops.group(up, m_t)

    def _apply_sparse(self, grad, var):
        return self._apply_sparse_shared(
            grad.values,
            var,
            grad.indices,
            lambda x, i, v: state_ops.scatter_add(x, i, v, use_locking=self._use_locking),
        )

    def _resource_scatter_add(self, x, i, v):
        with ops.control_dependencies([resource_variable_ops.resource_scatter_add(x.handle, i, v)]):
            return x.value()

    def _resource_apply_sparse(self, grad, var, indices):
        return self._apply_sparse_shared(grad, var, indices, self._resource_scatter_add)

    def _finish(self, update_ops, name_scope):
        with ops.control_dependencies(update_ops):
            b1, b2 = self._power("beta1_power"), self._power("beta2_power")
            with ops.colocate_with(b1):
                u1 = b1.assign(b1 * self._beta1_t, use_locking=self._use_locking)
                u2 = b2.assign(b2 * self._beta2_t, use_locking=self._use_locking)
        return control_flow_ops.group(*update_ops + [u1, u2], name=name_scope)


class Clipping(tf.train.Optimizer):
    def __init__(self, inner, norm):
        super(Clipping, self).__init__(False, "Clipping")
        self._inner, self._norm = inner, norm

    def compute_gradients(self, *args, **kwargs):
        pairs = self._inner.compute_gradients(*args, **kwargs)
        gs, vs = zip(*[(g, v) for g, v in pairs if g is not None])
        gs, self.norm = tf.clip_by_global_norm(gs, self._norm)
        return list(zip(gs, vs))

    def apply_gradients(self, *args, **kwargs):
        return self._inner.apply_gradients(*args, **kwargs)

    def get_slot(self, *args):
        return self._inner.get_slot(*args)

    def get_slot_names(self):
        return self._inner.get_slot_names()


class LARSMomentum(tf.train.MomentumOptimizer):
    """A subclass of a fused one."""

    def _apply_dense(self, grad, var):
        trust = tf.norm(var) / (tf.norm(grad) + 1e-6)
        return super(LARSMomentum, self)._apply_dense(
            grad * tf.clip_by_value(trust, 0.0, 10.0), var
        )


for res in (False, True):
    for make in (
        lambda: AMSGrad(lambda: 0.05),
        lambda: Clipping(AMSGrad(0.05), 0.1),
        lambda: LARSMomentum(0.05, 0.9),
    ):
        tf.reset_default_graph()
        tf.set_random_seed(1)
        with tf.variable_scope("net", use_resource=res):
            table = tf.get_variable(
                "table", [5, 3], initializer=tf.random_normal_initializer(seed=1)
            )
            w = tf.get_variable("w", [3, 2], initializer=tf.glorot_uniform_initializer())
            b = tf.get_variable(
                "b",
                [2],
                initializer=tf.zeros_initializer(),
                constraint=lambda x: tf.clip_by_norm(x, 1.0),
            )
            unused = tf.get_variable("unused", [2])
        h = tf.nn.embedding_lookup(table, [1, 1, 3])
        logits = tf.matmul(tf.nn.selu(h), w) + b
        loss = tf.losses.sparse_softmax_cross_entropy([0, 1, 1], logits)
        step = tf.train.get_or_create_global_step()
        opt = make()
        pairs = opt.compute_gradients(loss)
        try:
            train = opt.apply_gradients(pairs, global_step=step)
        except Exception as e:
            print(type(e).__name__, str(e)[:200])
            continue
        print(
            type(opt).__name__,
            res,
            len(tf.get_default_graph().get_operations()),
            opt.get_slot_names(),
        )
        print([v.name for v in tf.global_variables()])
        print([v.name for v in opt.variables()])
        import hashlib

        names = "\n".join(
            "%s %s %s"
            % (o.name, o.type, [i.name for i in o.inputs] + [c.name for c in o.control_inputs])
            for o in tf.get_default_graph().get_operations()
        )
        print(hashlib.md5(names.encode()).hexdigest())
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for i in range(4):
                sess.run(train)
            print(
                sess.run(step),
                "%.4f" % sess.run(loss),
                np.round(sess.run(w), 3).tolist(),
                np.round(sess.run(b), 3).tolist(),
            )
            m = opt.get_slot(w, "m")
            m = opt.get_slot(w, "momentum") if m is None else m
            print(m.name, np.round(sess.run(m), 3).tolist())
