"""Work that forked processes share, in processes of its own: pytest may have other threads."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")

START = """
import os, threading, time
from hlo2tiny.machine.processes import share_work

parent = os.getpid()
def run(work, count=8, processes=3):
    with share_work(work, range(count), processes) as results:
        return list(results)
"""


def run(script: str) -> str:
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    command = [sys.executable, "-W", "error", "-c", START + textwrap.dedent(script)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment)
    assert not done.stderr, done.stderr
    return done.stdout


def test_results_come_in_order_from_several_processes() -> None:
    run("""
        def work(i):
            time.sleep(0.01 * (8 - i))
            return i, os.getpid()
        results = run(work)
        assert [i for i, _ in results] == list(range(8))
        assert len({process for _, process in results}) > 1
        assert run(lambda i: bytes(i * 100_000), 40) == [bytes(i * 100_000) for i in range(40)]
    """)


def test_nothing_is_left_behind() -> None:
    printed = run("""
        before = os.listdir("/proc/self/fd")
        with share_work(lambda i: time.sleep(100 * (os.getpid() != parent)), range(8), 3) as results:
            pass
        run(lambda i: i)
        try:
            os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            print(os.listdir("/proc/self/fd") == before)
    """)
    assert printed == "True\n"


def test_a_child_ends_if_its_parent_was_killed() -> None:
    """It waited for ever to write what no pipe has room for, to a pipe that only the child itself could read."""
    run("""
        import select, signal
        source, target = os.pipe()
        if os.fork():
            os.close(target)
            assert select.select([source], [], [], 30)[0], "a process still has the pipe"
            assert os.read(source, 1) == b""  # all that had it have ended
        else:
            with share_work(lambda i: bytes(1 << 20), range(8), 3) as results:
                time.sleep(0.5)
                os.kill(os.getpid(), signal.SIGKILL)
    """)


def test_the_first_error_is_raised_where_its_result_would_come() -> None:
    run("""
        def work(i):
            if i in (3, 5):
                raise ValueError(i)
            time.sleep(0.01)
            return i
        for _ in range(5):
            with share_work(work, range(8), 3) as results:
                assert [next(results) for _ in range(3)] == [0, 1, 2]
                try:
                    next(results)
                except ValueError as error:
                    assert error.args == (3,)
                else:
                    raise AssertionError
    """)


def test_what_a_child_fails_to_do_is_done_here() -> None:
    run("""
        def work(i):
            if os.getpid() == parent:
                time.sleep(0.01)
                return i
            os._exit(1) if i % 2 else 1 / 0
        assert run(work) == list(range(8))
    """)


def test_a_process_with_other_threads_is_not_forked() -> None:
    run("""
        done = threading.Event()
        threading.Thread(target=done.wait).start()
        assert set(run(lambda i: os.getpid())) == {parent}
        done.set()
    """)


def test_collections_leave_a_child_what_its_parent_has() -> None:
    run("""
        import gc
        from hlo2tiny.machine.forking import has_frozen
        class Node:
            def __del__(self):
                assert os.getpid() == parent
        gc.disable()
        node = Node()
        node.itself = node
        del node
        def work(i):
            gc.enable()
            gc.collect()
            time.sleep(0.01)
            return os.getpid(), has_frozen()
        results = run(work)
        assert len(set(results)) > 1 and all(frozen for process, frozen in results if process != parent)
        assert not has_frozen()
    """)


@pytest.mark.ci
def test_code_is_the_same_however_many_processes_render_it() -> None:
    run(f"""
        import sys
        sys.path.insert(0, {str(Path(__file__).parent)!r})
        import hlo2tiny
        from corpus import BY_NAME
        from hlo2tiny.targets.c import native, render

        os.environ["HLO2TINY_CACHE"] = "off"
        for name in ("sort", "random_uniform"):  # of one region, and of several
            sources = []
            for processes in (1, 3):
                native.count_processors = lambda: processes
                render.REGIONS.regions.clear()
                plan = hlo2tiny.load(BY_NAME[name].path, "CPU").plan
                sources.append(native.render_plan(plan, lambda done, total: None, 2))
            one, several = sources
            assert one.driver == several.driver and one.kernels == several.kernels and one.arena == several.arena
    """)


def test_what_is_made_without_collections_is_old_afterwards() -> None:
    run("""
        import gc
        from hlo2tiny.machine.forking import has_frozen, without_collection
        with without_collection():
            made = [[]]
        assert gc.isenabled() and not has_frozen()
        assert any(each is made for each in gc.get_objects(generation=2))
        gc.freeze()  # what the user froze stays so
        with without_collection():
            made = [[]]
        assert gc.isenabled() and has_frozen()
    """)


def test_one_process_works_beside_this_one() -> None:
    run("""
        from hlo2tiny.machine.processes import begin_work
        before = os.listdir("/proc/self/fd")
        with begin_work(lambda: (os.getpid(), bytes(1_000_000))) as result:
            process, sent = result()
        assert process != parent and sent == bytes(1_000_000)
        with begin_work(lambda: (os.getpid(), lambda: None)) as result:  # a function cannot be sent
            assert result()[0] == parent
        with begin_work(lambda: 1 // 0) as result:
            try:
                result()
            except ZeroDivisionError as error:
                failed = error
        assert failed.__traceback__ is not None
        with begin_work(lambda: time.sleep(100)):
            pass
        assert os.listdir("/proc/self/fd") == before
        thread = threading.Thread(target=time.sleep, args=[0.5])
        thread.start()
        with begin_work(os.getpid) as result:
            assert result() == parent
        thread.join()
    """)


READING = """
import sys, hlo2tiny
from hlo2tiny.machine import processes
forked, fork = [], processes.fork
processes.fork = lambda: forked.append(fork()) or forked[-1]
several = len(os.sched_getaffinity(0)) > 1
"""


def test_a_file_is_read_beside_imports() -> None:
    """In the first load of a process, which then needs no parser."""
    run(
        READING
        + textwrap.dedent("""
        text = "func.func @main(%x: tensor<2xf32>, %i: tensor<f32>) -> tensor<f32> { %s = stablehlo.reduce(%x init: %i)"
        text += " applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>"
        text += " return %s : tensor<f32> }"
        assert hlo2tiny.load(text, "CPU").inputs[0].shape == (2,)
        assert (len(forked), "lark" in sys.modules) == ((1, False) if several else (0, True))
        hlo2tiny.load(text.replace("2x", "3x"), "CPU")
        assert len(forked) == several
    """)
    )


def test_what_is_wrong_with_a_file_is_said_as_if_it_were_read_here() -> None:
    run(
        READING
        + textwrap.dedent("""
        try:
            hlo2tiny.load("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %y : tensor<2xf32> }", "CPU")
        except hlo2tiny.VerifyError as error:
            assert "1:62: the value %y is not defined" in str(error), error
        assert len(forked) == several
    """)
    )
