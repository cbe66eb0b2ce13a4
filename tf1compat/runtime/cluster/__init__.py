"""Runs of several tasks: a graph is cut by task, and each part is run where its variables live.

tasks.py     the names of tasks, and which one runs an operation
parts.py     the operations of a run -> parts, each of one task, and what they hand on
part_def.py  a part as a message, and as a graph again
worker.py    a task: its sessions, and their parts
wire.py      messages of arrays, errors as status codes, the token
endpoint.py  where other processes call this one: who may, and encryption
channel.py   calls of another process
service.py   a task for other processes: what it answers
peers.py     how a task is reached: in this process, or through gRPC
master.py    a session's tasks, and its runs
hub.py       where the members of collectives meet
collect.py   the way there
collective_runs.py  the collectives of runs, and the processes that a launcher started
"""
