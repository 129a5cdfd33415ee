/// Submissions over HTTP, as Apache Spark's clients know them (port 6066). The door is
/// [io.kiln.daemon.rest.RestGateway]; behind it, [io.kiln.daemon.rest.Submissions] is all
/// that it knows of a master.
package io.kiln.daemon.rest;
