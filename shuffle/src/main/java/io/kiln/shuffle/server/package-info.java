/// How a process gives map outputs to others, and gets copies of theirs.
package io.kiln.shuffle.server;
