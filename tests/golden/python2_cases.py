"""Programs of Python 2, and what Python 2.7 printed: `python2.7 python2_cases.py` records it."""

import json
import os
import subprocess
import sys
import tempfile

CASES = {
    "division": """
        print 7 / 2, -7 / 2, 7 / 2.0, 7L / 2, True / 2, 2 ** 40 / 3
        h = 28
        print [1, h / 4, h / 4, 64], range(10 / 3), h / -3
        h /= 3
        x = [9, 9.0]
        x[0] /= 2
        x[1] /= 2
        class C(object):
            n = 7
            def __div__(self, other):
                return 'div %s' % other
            def __rdiv__(self, other):
                return 'rdiv %s' % other
        C.n /= 2
        print h, x, C.n, C() / 3, 3 / C()
        from operator import div
        print div(7, 2)
    """,
    "future_division": """
        from __future__ import division
        x = 7
        x /= 2
        print 7 / 2, x
    """,
    "order": """
        log = []
        class D(dict):
            def __getitem__(self, key):
                log.append('get')
                return dict.__getitem__(self, key)
            def __setitem__(self, key, value):
                log.append('set')
                dict.__setitem__(self, key, value)
        def f(name, value):
            log.append(name)
            return value
        d = D(a=9)
        f('object', d)[f('key', 'a')] /= f('value', 2)
        d[f('key', 'b')] = f('value', 1)
        print log, dict(d)
    """,
    "lists": """
        print range(4)[1:], map(str, [1, 2])[0], filter(None, [0, 1])[0], zip('ab', [1, 2])[1]
        print map(None, [1, 2], [3]), map(lambda a, b: (a, b), [1], [2, 3])
        print filter(lambda c: c > 'a', 'abca'), filter(None, (0, 1))
        r = range(3)
        r.reverse()
        m = map
        print r, len(m(abs, [-1, 2])), {'a': 1}.keys()[0], {'a': 1}.items(), {'a': 1}.values()
        d = {'b': 1, 'a': 2}
        keys = d.keys()
        keys.sort()
        print keys, sorted(d.iteritems()), d.has_key('a'), sum(d.itervalues())
        print reduce(lambda a, b: a * b, xrange(1, 5)), list(xrange(7 / 2))
    """,
    "sorting": """
        print sorted([3, 1, 2], cmp=lambda a, b: b - a), sorted('bca', lambda a, b: cmp(a, b))
        x = [3, 1, 2]
        x.sort(lambda a, b: b - a)
        print x, cmp(1, 2), cmp('b', 'a'), cmp(1, 1)
        x.sort(cmp=cmp, key=lambda v: -v, reverse=True)
        print x, sorted({'a': 2, 'b': 1}.items(), key=lambda (k, v): v)
    """,
    "rounding": """
        print round(2.5), round(-2.5), round(0.125, 2), round(1234.5, -2), round(3), round(2.675, 2)
    """,
    "strings": """
        import string
        print string.letters[:2], string.lowercase[:2], string.atoi('12'), string.join(['a', 'b'])
        print string.replace('abc', 'b', 'x'), string.upper('a'), 'a.b'.translate(None, '.')
        print 'abc'.decode('utf-8'), 'abc'.encode('hex'), '616263'.decode('hex'), unichr(97)
        print isinstance('a', basestring), isinstance(u'a', unicode), unicode('abc', 'utf-8')
        print `1` + 'a', 'a' <> 'b', 0777, 10L == 10, intern('a')
        print string.maketrans('ab', 'xy') and 'aabb'.translate(string.maketrans('ab', 'xy'))
    """,
    "encoding": """
        import sys
        reload(sys)
        sys.setdefaultencoding('utf8')
        print sys.maxint > 2 ** 30
    """,
    "modules": """
        import ConfigParser, Queue, urllib, urllib2, urlparse, os, itertools, commands, copy_reg
        import md5, types, thread, HTMLParser, cookielib, __builtin__, exceptions
        from StringIO import StringIO
        from itertools import imap, izip, ifilter
        import cStringIO
        q = Queue.Queue()
        q.put(1)
        print q.get(), urllib.quote('a b'), urlparse.urlparse('http://a/b').path
        print urllib.urlencode({'a': 1}), urllib2.URLError.__name__, md5.new('').hexdigest()[:4]
        s = StringIO()
        s.write('abc')
        print s.getvalue(), cStringIO.StringIO('x').read(), os.getcwdu() == os.getcwd()
        print list(imap(abs, [-1])), list(izip([1], [2])), commands.getoutput('echo hi')
        print isinstance([], types.ListType), __builtin__.max(1, 2), exceptions.ValueError.__name__
        c = ConfigParser.SafeConfigParser()
        c.readfp(StringIO('[a]\\nb = 1'))
        print c.getint('a', 'b')
    """,
    "files": """
        import csv, pickle, cPickle
        w = open('a.csv', 'wb')
        csv.writer(w).writerow([1, 'x'])
        w.write('2,y\\n')
        w.close()
        print list(csv.reader(open('a.csv', 'rb'))), open('a.csv').read().split()
        f = file('b.pkl', 'w')
        pickle.dump({'a': [1, 2]}, f)
        f.close()
        print pickle.load(open('b.pkl')), cPickle.loads(cPickle.dumps((1, 'a'), 2))
        for line in open('a.csv', 'rU'):
            print line.strip(),
        print
        execfile_me = open('c.py', 'w')
        print >>execfile_me, 'y = 5 / 2'
        execfile_me.close()
        execfile('c.py')
        print y
    """,
    "statements": """
        def f((a, b), c=1):
            return a + b + c
        try:
            raise ValueError, 'm'
        except ValueError, e:
            print 'caught', e
        exec 'x = 5 / 2'
        def g(n):
            d = {}
            exec 'y = n / 2' in {'n': n}, d
            return eval('n / 2'), eval('n / a', {'a': 3, 'n': n}), d['y']
        print g(7), eval('`x` + "a"')
        print f((1, 2)), x, apply(f, ((1, 2),), {'c': 3})
        class A:
            def next(self):
                return 4
            def __nonzero__(self):
                return False
        print A().next(), bool(A()), 'yes' if not A() else 'no'
        print >>__import__('sys').stdout, 'to', 'stdout'
        print ('a', 1)
    """,
    "messages": """
        class E(Exception):
            def __init__(self, message):
                self.message = message
        class Plain(object):
            message = 'own'
        for error in (ValueError('a'), ValueError(), ValueError('a', 'b'), KeyError(3), E('e')):
            try:
                raise error
            except Exception, e:
                print type(e).__name__, repr(e.message)
        print Plain().message, Plain.message
        try:
            object().message
        except AttributeError, e:
            print e.message
    """,
    "protocols": """
        class Node(object):
            def __init__(self, cost):
                self.cost = cost
            def __cmp__(self, other):
                return cmp(self.cost, other.cost)
        class Low(Node):
            def __cmp__(self, other):
                return -cmp(self.cost, other.cost)
        a, b = Node(1), Node(2)
        print a < b, a <= b, a == Node(1), a != b, a > b, a >= b, cmp(a, b), a in {a: 1}
        print [n.cost for n in sorted([b, a])], max(a, b).cost, sorted([Low(1), Low(2)])[0].cost
        import heapq
        heap = []
        for cost in (3, 1, 2):
            heapq.heappush(heap, Node(cost))
        print heapq.heappop(heap).cost, [b] == [Node(2)], [b].index(Node(2))
        class Slices(object):
            def __len__(self):
                return 10
            def __getitem__(self, key):
                return 'item', key
            def __getslice__(self, i, j):
                return 'slice', i, j if j < 100 else 'end'
            def __setslice__(self, i, j, value):
                print 'set', i, j, value
            def __delslice__(self, i, j):
                print 'del', i, j
        s = Slices()
        print s[1:3], s[:], s[-2:], s[1], s[1:5:2] == ('item', slice(1, 5, 2)), s['a']
        s[1:2] = 'v'
        del s[3:-1]
    """,
    "tabs": "if True:\n\tx = 1\n        y = x / 2\n\tif x:\n\t    print 'in', y\nprint 'out'\n",
    "random": """
        import random
        random.seed(3)
        x = range(10)
        random.shuffle(x)
        print x, random.randint(0, 100), random.randrange(5), random.randrange(2, 20, 3)
        print random.choice('abcdef'), random.sample(range(20), 4), random.sample(xrange(99), 8)
        print random.sample('abc', 2), random.random(), random.uniform(1, 2), random.gauss(0, 1)
        print random.randint(0, 2 ** 63), random.randrange(2 ** 60), random.randrange(9, 2, -3)
        for seed in ('abc', 5L, -3, 2.5, -0.1, 4.0, True):
            random.seed(seed)
            print random.random(), random.randint(1, 6)
        own = random.Random(4)
        y = range(5)
        own.shuffle(y)
        print y, own.choice([1, 2, 3]), own.randint(1, 9), own.sample(set(y), 2)
        random.shuffle(y, lambda: 0.3)
        from random import shuffle, randint
        random.seed(1)
        shuffle(y)
        print y, randint(0, 9)
        for f in (lambda: random.randrange(3, 3), lambda: random.randrange(1.5)):
            try:
                f()
            except ValueError, e:
                print str(e)[:30]
    """,
    "floats": """
        x = 1. / 3
        print x, 0.1 + 0.2, 1e16, 1e15, 1e11, 123456789012.5, 99999999999.5, 1e-5, 2.5, -1e100
        print float('nan'), float('inf'), -0.0, 12345678901.25, 0.0001, 123456789012345.0
        print str(x), '%s' % x, '%s %s' % (x, [x]), '{} {:.3f} {!r} {a}'.format(x, x, x, a=x), `x`
        print map(str, [x])[0], ' '.join(str(v) for v in (x, 2 * x)), '%(a)s' % {'a': x}, repr(x)
        form = '%s|%5.2f|%r|%8s|%d'
        print form % (x, x, x, x, 2.7), 7 % 4, -7 % 4, 7.5 % 2, unicode(x)
        print [x], (x,), {'a': x}, 'a' + str(x)
        class Mean(object):
            def __str__(self):
                return str(x)
            def __repr__(self):
                return repr(x)
            def __mod__(self, other):
                return other
        print Mean(), [Mean()], '%s' % Mean(), Mean() % x
        import sys
        print >>sys.stdout, x, True, None, str(3), str(None)
    """,
    "math": """
        import math
        from math import ceil, floor
        import math as m
        print math.floor(7) / 2, math.ceil(5 / 2.) / 2, floor(-2.5), ceil(-0.5), m.ceil(2)
        print int(math.ceil(7 / 2.)) / 2, math.sqrt(16) / 3, math.trunc(2.7) / 2, math.pi
        from math import *
        print floor(3) / 2, e, oct(8), oct(0), oct(-9), buffer('abc')[1:], buffer('abcd', 1, 2)
    """,
}


def text(case):
    """A case's source."""
    lines = CASES[case].strip("\n").split("\n")
    indent = min(len(line) - len(line.lstrip(" ")) for line in lines if line.strip())
    return "".join(line[indent if case != "tabs" else 0 :] + "\n" for line in lines)


def main():
    """Records what Python 2 prints, the softspaces before line ends left out."""
    printed = {}
    for case in CASES:
        folder = tempfile.mkdtemp()
        with open(os.path.join(folder, "script.py"), "w") as script:
            script.write(text(case))
        output = subprocess.check_output([sys.executable, "script.py"], cwd=folder)
        printed[case] = output.decode().splitlines()
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "data", "python2.json"), "w") as file:
        json.dump(printed, file, indent=1, sort_keys=True)
        file.write("\n")


if __name__ == "__main__":
    main()
