"""How cases of datasets run."""

from __future__ import annotations

import recording


class Elements:
    """Pipelines, and what their iterators give.

    Args:
        tf: the `tensorflow` module.
        datasets: the pipelines by name; each gets an iterator.
        count: how many elements are asked for.
        times: how often each iterator is initialized.
        one_shot: whether iterators are one-shot.
        fetches: what else is fetched, once, by name.
        before: what is run first.
        said: what is compared as text.
    """

    def __init__(
        self, tf, datasets=(), count=6, times=1, one_shot=False, fetches=(), before=(), said=()
    ):
        self._before, self._count, self._times = list(before), count, times
        self._fetches = dict(fetches)
        self.said = [str(x) for x in said]
        self._iterators = {}
        for name in sorted(datasets):
            dataset = datasets[name]
            self.said.append(repr(dataset))
            make = (
                tf.data.make_one_shot_iterator if one_shot else tf.data.make_initializable_iterator
            )
            iterator = make(dataset)
            setup = () if one_shot else iterator.initializer
            self._iterators[name] = setup, iterator.get_next()

    def run(self, tf):
        """(name, value) of all that is fetched; at the end of a pipeline the error's text."""
        found = []
        with tf.Session() as session:
            session.run([self._before, tf.global_variables_initializer(), tf.tables_initializer()])
            for name in sorted(self._fetches):
                found.append((name, tried(tf, lambda: session.run(self._fetches[name]))))
            for name, (setup, element) in self._iterators.items():
                for _ in range(self._times):
                    begun = tried(tf, lambda: session.run(setup))
                    if isinstance(begun, str):
                        found.append((name, begun))
                        break
                    for _ in range(self._count):
                        value = tried(tf, lambda: session.run(element))
                        found.append((name, value))
                        if isinstance(value, str) and "End of sequence" in value:
                            break
        return found


def tried(tf, function):
    """What a function gives, or the text of the error of `tf.errors` that it raises."""
    try:
        return function()
    except tf.errors.OpError as error:
        text = recording.error_text(error)
        return type(error).__name__ + ": " + recording._renumber(text).split(" (defined at")[0]


def _range(tf, *args):
    return tf.data.Dataset.range(*args)
