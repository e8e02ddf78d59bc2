"""Dominators in a directed graph whose nodes are numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

Successors = Mapping[int, Sequence[int]]


def dominators(root: int, successors: Successors) -> dict[int, int]:
    """The immediate dominator of each reachable node, in reverse postorder; the root's is the root itself."""
    order: list[int] = []
    seen = {root}
    stack = [(root, iter(successors.get(root, ())))]
    while stack:
        node, unvisited = stack[-1]
        for following in unvisited:
            if following not in seen:
                seen.add(following)
                stack.append((following, iter(successors.get(following, ()))))
                break
        else:
            order.append(node)
            stack.pop()
    order.reverse()
    place = {node: i for i, node in enumerate(order)}
    before: dict[int, list[int]] = {node: [] for node in order}
    for node in order:
        for following in successors.get(node, ()):
            before[following].append(node)
    nearest = {root: root}
    changed = True
    while changed:
        changed = False
        for node in order[1:]:
            known = [other for other in before[node] if other in nearest]
            dominator = reduce(lambda one, other: common_dominator(nearest, place, one, other), known)
            if nearest.get(node) != dominator:
                nearest[node] = dominator
                changed = True
    return {node: nearest[node] for node in order}


def common_dominator(nearest: Mapping[int, int], place: Mapping[int, int], one: int, other: int) -> int:
    """The nearest node that dominates both."""
    while one != other:
        while place[one] > place[other]:
            one = nearest[one]
        while place[other] > place[one]:
            other = nearest[other]
    return one
