/// Messages as bytes: the records of a closed registry, written and read without reflection. The
/// door is [io.kiln.network.codec.RecordCodec].
package io.kiln.network.codec;
