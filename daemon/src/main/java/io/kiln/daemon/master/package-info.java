/// The process of a master: what it is started with, what it keeps, and when it leads.
package io.kiln.daemon.master;
