/// The side of a standalone cluster that `spark-submit` needs: hands drivers to a master, asks how
/// they are, ends them. The door is [io.kiln.standalone.submit.StandaloneClient].
package io.kiln.standalone.submit;
