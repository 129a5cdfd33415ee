package io.kiln.network.codec;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Finds how the components of registered records are written. Used while a registry is made.
final class ComponentCodecs {
  private final MethodHandles.Lookup lookup;
  private final Map<Class<?>, Integer> ids;
  private final Map<Class<?>, ValueCodec<?>> special;
  private final Set<Class<?>> open;
  private final Map<Class<?>, RecordFields> records = new HashMap<>();

  ComponentCodecs(
      MethodHandles.Lookup lookup,
      Map<Class<?>, Integer> ids,
      Map<Class<?>, ValueCodec<?>> special,
      Set<Class<?>> open) {
    this.lookup = lookup;
    this.ids = ids;
    this.special = special;
    this.open = open;
  }

  RecordFields ofRecord(Class<?> type) {
    RecordFields known = records.get(type);
    if (known != null) {
      return known;
    }
    RecordFields fields = new RecordFields(type, lookup);
    records.put(type, fields);
    RecordComponent[] components = type.getRecordComponents();
    @SuppressWarnings({"unchecked", "rawtypes"}) // each is asked for values of its type only
    ValueCodec<Object>[] codecs = new ValueCodec[components.length];
    for (int i = 0; i < codecs.length; i++) {
      codecs[i] = of(components[i].getGenericType(), type, components[i].getName());
    }
    fields.complete(codecs);
    return fields;
  }

  @SuppressWarnings("unchecked") // as above
  private ValueCodec<Object> of(Type type, Class<?> owner, String component) {
    ValueCodec<?> found =
        switch (type) {
          case Class<?> plain -> ofClass(plain);
          case ParameterizedType generic -> ofGeneric(generic, owner, component);
          default -> null;
        };
    if (found == null) {
      throw new IllegalArgumentException(
          owner.getName()
              + " can't be a message: there is no way to write its "
              + component
              + ", a "
              + type.getTypeName());
    }
    return (ValueCodec<Object>) found;
  }

  private ValueCodec<?> ofClass(Class<?> type) {
    ValueCodec<?> own = special.get(type);
    if (own != null) {
      return own;
    }
    ValueCodec<?> simple = SimpleCodecs.find(type);
    if (simple != null) {
      return simple;
    }
    if (type.isEnum()) {
      return new EnumCodec(type.getEnumConstants());
    }
    if (type.isRecord()) {
      return ofRecord(type);
    }
    if (open.contains(type)) {
      return ofOpen(type);
    }
    return type.isSealed() ? ofSealed(type) : null;
  }

  private ValueCodec<?> ofOpen(Class<?> type) {
    Map<Class<?>, RecordCodec.Registered> alternatives = new HashMap<>();
    ids.forEach(
        (record, id) -> {
          if (type.isAssignableFrom(record)) {
            alternatives.put(record, new RecordCodec.Registered(id, ofRecord(record)));
          }
        });
    return new SealedCodec(type, alternatives);
  }

  private ValueCodec<?> ofSealed(Class<?> type) {
    Map<Class<?>, RecordCodec.Registered> alternatives = new HashMap<>();
    addAlternatives(type, alternatives);
    return new SealedCodec(type, alternatives);
  }

  private void addAlternatives(Class<?> type, Map<Class<?>, RecordCodec.Registered> alternatives) {
    if (type.isSealed()) {
      for (Class<?> permitted : type.getPermittedSubclasses()) {
        addAlternatives(permitted, alternatives);
      }
      return;
    }
    Integer id = ids.get(type);
    if (id == null) {
      throw new IllegalArgumentException(
          type.getName() + " is not registered, but an interface that is used permits it");
    }
    alternatives.put(type, new RecordCodec.Registered(id, ofRecord(type)));
  }

  private ValueCodec<?> ofGeneric(ParameterizedType type, Class<?> owner, String component) {
    Type[] arguments = type.getActualTypeArguments();
    if (type.getRawType() == Optional.class) {
      return new ContainerCodecs.OfOptional(of(arguments[0], owner, component));
    }
    if (type.getRawType() == List.class) {
      return new ContainerCodecs.OfList(of(arguments[0], owner, component));
    }
    if (type.getRawType() == Set.class) {
      return new ContainerCodecs.OfSet(of(arguments[0], owner, component));
    }
    if (type.getRawType() == Map.class) {
      return new ContainerCodecs.OfMap(
          of(arguments[0], owner, component), of(arguments[1], owner, component));
    }
    return null;
  }
}
