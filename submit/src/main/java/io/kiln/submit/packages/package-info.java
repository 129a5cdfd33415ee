/// What stands between `spark-submit` and the resolver of Maven packages. The resolver and Maven's
/// libraries are loaded by [io.kiln.submit.packages.PackageResolvers] only where a submission asks
/// for packages.
package io.kiln.submit.packages;
