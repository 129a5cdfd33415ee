/// The logging behind SLF4J: silent and free until something is worth saying, then Log4j 2.
///
/// The door is [io.kiln.submit.logging.LazyLogProvider], which SLF4J finds by
/// `ServiceLoader`, or is told of.
package io.kiln.submit.logging;
