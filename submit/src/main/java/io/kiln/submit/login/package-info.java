/// What stands between `spark-submit` and Hadoop's login, which is loaded only where a submission
/// asks for it.
package io.kiln.submit.login;
