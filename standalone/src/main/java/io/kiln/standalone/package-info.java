/// The standalone cluster as those use it who are no part of it: applications that want executors
/// (`client`), and `spark-submit` (`submit`).
package io.kiln.standalone;
