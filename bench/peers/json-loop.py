# The least that a Python program can do with a log: read it line by line and parse each.
import json
import sys

events = 0
with open(sys.argv[1], "rb") as log:
    for line in log:
        json.loads(line)
        events += 1
print(events)
