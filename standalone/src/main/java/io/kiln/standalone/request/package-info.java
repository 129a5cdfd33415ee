/// What a submission asks of a cluster, whichever way it comes.
package io.kiln.standalone.request;
