// Threads of several libraries in one process.
#pragma once

namespace mikpoly::bench {

// Waits until every other thread of this process sleeps, 40 ms at most: the workers of a thread
// pool spin for a while after each call and would take processors from a pool that is timed next.
void settle_threads();

}  // namespace mikpoly::bench
