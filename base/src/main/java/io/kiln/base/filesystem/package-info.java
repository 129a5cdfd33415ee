/// Files wherever they lie: the port through which the engine reads and writes those that users
/// name by a path.
///
/// The door is [io.kiln.base.filesystem.FileSystems], which says where a path leads. A local path
/// leads to [io.kiln.base.filesystem.LocalFileSystem], which is nothing but the JDK. Any other is
/// given to the [io.kiln.base.filesystem.FileSystemProvider]s of the installation, none of which is
/// loaded before.
package io.kiln.base.filesystem;
