/// Inputs and outputs in files: text, binary and object files, compressed or not, and the commit
/// protocol of outputs.
///
/// The door is [io.kiln.files.PathFileFormats], which `api` finds as its
/// [io.kiln.api.spi.FileFormats]. Inputs: [io.kiln.files.InputPaths] looks a path up,
/// [io.kiln.files.SplitPlanner] cuts the files into partitions, [io.kiln.files.LineReader] reads
/// lines. Outputs: [io.kiln.files.DirectoryOutput].
package io.kiln.files;
