/// Programs to run and to read: each is one class with a `main` method, runs with an input that
/// ships with it, and takes the path of another.
///
/// Begin with [io.kiln.examples.WordCount].
package io.kiln.examples;
