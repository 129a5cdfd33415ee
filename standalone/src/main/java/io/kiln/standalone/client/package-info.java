/// An application's way to its executors on a standalone cluster.
package io.kiln.standalone.client;
