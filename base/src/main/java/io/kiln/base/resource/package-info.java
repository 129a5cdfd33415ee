/// What an application brings along, its files, jars and archives: how users name them, and how
/// they come to where they are used. The same for the driver and for executors, in every mode.
///
/// A name is a [io.kiln.base.resource.Resource]; [io.kiln.base.resource.Downloads] fetch what is
/// remote, and [io.kiln.base.resource.Archive] unpacks.
package io.kiln.base.resource;
