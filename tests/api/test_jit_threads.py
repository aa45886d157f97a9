"""Threads that trace functions which need each other."""

import threading

import tidegate as tg


def test_a_thread_that_a_traced_function_starts_may_call_jitted_functions():
    inner, found = tg.jit(lambda x: x + 1.0), []

    @tg.jit
    def f(x):
        thread = threading.Thread(target=lambda: found.append(inner(1.0).item()), daemon=True)
        thread.start()
        thread.join(timeout=30)
        return x * 2.0

    assert f(1.0).item() == 2.0
    assert found == [2.0]


def test_threads_whose_functions_call_each_other_do_not_wait_for_each_other():
    met, wrong = threading.Barrier(2), []

    def first(x, other):
        if other:
            met.wait(timeout=30)
            return g(x, False) + 1.0
        return x

    def second(x, other):
        if other:
            met.wait(timeout=30)
            return f(x, False) * 2.0
        return x

    f, g = tg.jit(first), tg.jit(second)

    def work(function, want):
        if function(3.0, True).item() != want:
            wrong.append(want)

    threads = [threading.Thread(target=work, args=pair, daemon=True) for pair in ((f, 4.0), (g, 6.0))]
    for t in threads:
        t.start()
    for t in threads:
        t.join(timeout=30)
    assert not [t for t in threads if t.is_alive()]
    assert wrong == []
