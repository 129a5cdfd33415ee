/// Functions and lineages as bytes: written by the driver, read by executors.
package io.kiln.base.closure;
