package io.kiln.network.codec;

import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Writes and reads the records of a closed registry. Immutable; thread-safe.
///
/// A record is written as its number and then its components in order. Components may be primitive
/// types and their boxes, text, enums, arrays of primitive types, lists, sets, maps and optionals
/// of all these, records, and sealed interfaces of registered records. What a record's own
/// constructor refuses is refused here. How components are read and written is worked out when the
/// registry is made: a message costs no reflection.
///
/// Both sides have the same registry: its [#fingerprint] is compared when they meet.
public final class RecordCodec {
  private final Map<Class<?>, Registered> byType;
  private final Registered[] byId;
  private final int maxDepth;
  private final long fingerprint;

  record Registered(int id, ValueCodec<Object> codec) {}

  private RecordCodec(Map<Class<?>, Registered> byType, int maxDepth) {
    this.byType = Map.copyOf(byType);
    this.maxDepth = maxDepth;
    int largest = byType.values().stream().mapToInt(Registered::id).max().orElse(0);
    this.byId = new Registered[largest + 1];
    TreeMap<Integer, String> schemas = new TreeMap<>();
    byType.forEach(
        (type, registered) -> {
          byId[registered.id()] = registered;
          schemas.put(registered.id(), registered.codec().schema());
        });
    this.fingerprint = hash(schemas.toString());
  }

  /// @param lookup of the module that has the records: sees those that aren't public
  public static Builder builder(MethodHandles.Lookup lookup) {
    return new Builder(lookup);
  }

  /// The same for the same types under the same numbers, with the same components.
  public long fingerprint() {
    return fingerprint;
  }

  /// All that are registered.
  public Set<Class<?>> types() {
    return byType.keySet();
  }

  /// @throws IllegalArgumentException if its type isn't registered
  public void write(Object value, WireWriter out) {
    Registered registered = byType.get(value.getClass());
    if (registered == null) {
      throw new IllegalArgumentException(
          value.getClass().getName() + " is not a registered message");
    }
    out.writeUnsigned(registered.id());
    registered.codec().write(value, out);
  }

  /// @throws WireFormatException if the bytes begin with no registered record
  public Object read(WireReader in) {
    long id = in.readUnsigned();
    Registered registered = id >= 0 && id < byId.length ? byId[(int) id] : null;
    if (registered == null) {
      throw new WireFormatException("there is no message type " + Long.toUnsignedString(id));
    }
    return registered.codec().read(in);
  }

  /// A reader with this registry's limit on depth.
  public WireReader reader(byte[] bytes, int offset, int length) {
    return new WireReader(bytes, offset, length, maxDepth);
  }

  private static long hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return new WireReader(digest, 0, Long.BYTES, 1).readFixedLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java platform has it
    }
  }

  /// Gathers types; used by one thread.
  public static final class Builder {
    private static final int DEFAULT_MAX_DEPTH = 32;

    private final Map<Class<?>, Integer> ids = new HashMap<>();
    private final Map<Class<?>, ValueCodec<?>> special = new HashMap<>();
    private final Set<Class<?>> open = new HashSet<>();
    private final MethodHandles.Lookup lookup;
    private int maxDepth = DEFAULT_MAX_DEPTH;

    private Builder(MethodHandles.Lookup lookup) {
      this.lookup = lookup;
    }

    /// Registers a record under a number that nothing else has; numbers are never given again to
    /// another type.
    public Builder add(int id, Class<? extends Record> type) {
      if (id < 1) {
        throw new IllegalArgumentException(id + " is no number for a type; begin with 1");
      }
      if (ids.containsValue(id) || ids.putIfAbsent(type, id) != null) {
        throw new IllegalArgumentException(type.getName() + " or number " + id + " is there twice");
      }
      return this;
    }

    /// Registers several records under numbers that follow each other.
    public Builder addAll(int firstId, Collection<Class<? extends Record>> types) {
      int id = firstId;
      for (Class<? extends Record> type : types) {
        add(id++, type);
      }
      return this;
    }

    /// How components of a type are written that is no record: an interface to something opaque.
    public <T> Builder component(Class<T> type, ValueCodec<? extends T> codec) {
      special.put(type, codec);
      return this;
    }

    /// Lets components be of this interface, which need not be sealed: any registered record that
    /// implements it.
    public Builder open(Class<?> type) {
      open.add(type);
      return this;
    }

    public Builder maxDepth(int depth) {
      maxDepth = depth;
      return this;
    }

    /// @throws IllegalArgumentException if a record has a component that can't be written, or a
    /// sealed interface permits a record that isn't registered
    public RecordCodec build() {
      ComponentCodecs components = new ComponentCodecs(lookup, ids, special, open);
      Map<Class<?>, Registered> registered = new HashMap<>();
      ids.forEach(
          (type, id) -> registered.put(type, new Registered(id, components.ofRecord(type))));
      return new RecordCodec(registered, maxDepth);
    }
  }
}
