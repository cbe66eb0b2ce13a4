"""Arguments of Python's random that later versions refuse."""

import random

import numpy as np

random.seed(3)
values = list(range(6))
random.shuffle(values, lambda: 0.4)
print(values)
random.shuffle(values, random=random.random)
print(values, random.random())
random.shuffle(values)
print(values, random.sample({1, 2, 3}, 2), random.sample({"a": 1, "b": 2}.keys(), 1))
print(random.sample([4, 5, 6], 2), random.randint(1, 6.0), random.randrange(8.0))
for seed in (np.int64(7), np.float32(0.5), np.uint8(3), True):
    random.seed(seed)
    print(random.random())
random.seed(a=np.int32(7))
print(random.random())
own = random.Random(np.int64(4))
own.shuffle(values, lambda: 0.1)
print(values, own.random(), own.sample(frozenset([5]), 1))
for call in (lambda: random.sample(3, 1), lambda: random.seed([]), lambda: random.sample([1], 2)):
    try:
        call()
    except (TypeError, ValueError) as error:
        print(type(error).__name__)
