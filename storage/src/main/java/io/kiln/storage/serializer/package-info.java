/// Objects to bytes and back: [ObjectSerializer] for one, [ObjectWriter] and [ObjectReader] for
/// streams of records.
package io.kiln.storage.serializer;
