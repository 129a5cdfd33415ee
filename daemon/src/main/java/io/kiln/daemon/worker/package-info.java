/// The process of a worker: what it is started with, and the processes that it starts.
package io.kiln.daemon.worker;
