package io.kiln.dist;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.FieldModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Signature;
import java.lang.classfile.Signature.ClassTypeSig;
import java.lang.classfile.Signature.TypeArg;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LocalVariableType;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Finds where a class puts a new `HashMap` or `HashSet` into a field or a local variable whose
/// keys have the hash of their identity: who iterates over that, has another order in each JVM. An
/// `EnumMap`, or a map or set that keeps its order, is to be taken instead.
///
/// What is behind a type variable or `Object`, and what goes straight into a call, is not seen.
final class IdentityHashes {
  private static final Set<String> HASHED = Set.of("java/util/HashMap", "java/util/HashSet");

  private final ClassModel model;
  private final ClassLoader loader;
  private final List<String> found = new ArrayList<>();

  private IdentityHashes(ClassModel model, ClassLoader loader) {
    this.model = model;
    this.loader = loader;
  }

  /// @return the names of fields and variables
  static List<String> in(Class<?> type) {
    String file = "/" + type.getName().replace('.', '/') + ".class";
    try (InputStream bytes = type.getResourceAsStream(file)) {
      ClassModel model = ClassFile.of().parse(bytes.readAllBytes());
      IdentityHashes hashes = new IdentityHashes(model, type.getClassLoader());
      model.methods().forEach(hashes::look);
      return hashes.found.stream().map(name -> type.getName() + "." + name).toList();
    } catch (IOException e) {
      throw new IllegalStateException("can't read " + file, e);
    }
  }

  private void look(MethodModel method) {
    Optional<CodeAttribute> code = method.findAttribute(Attributes.code());
    if (code.isEmpty()) {
      return;
    }
    int at = 0;
    boolean isHashed = false;
    for (CodeElement element : code.get()) {
      if (element instanceof Instruction instruction) {
        at += instruction.sizeInBytes();
        if (isHashed) {
          lookAt(instruction, code.get(), at);
        }
        isHashed =
            instruction instanceof InvokeInstruction call
                && call.name().equalsString("<init>")
                && HASHED.contains(call.owner().asInternalName());
      }
    }
  }

  /// @param next the offset of what follows the instruction
  private void lookAt(Instruction instruction, CodeAttribute code, int next) {
    if (instruction instanceof FieldInstruction put) {
      String name = put.name().stringValue();
      model.fields().stream()
          .filter(field -> field.fieldName().equalsString(name))
          .flatMap(field -> signature(field).stream())
          .forEach(signature -> check(name, signature));
    } else if (instruction instanceof StoreInstruction store) {
      code.elementStream()
          .filter(LocalVariableType.class::isInstance)
          .map(LocalVariableType.class::cast)
          .filter(variable -> variable.slot() == store.slot())
          .filter(variable -> code.labelToBci(variable.startScope()) == next)
          .forEach(variable -> check(variable.name().stringValue(), variable.signatureSymbol()));
    }
  }

  private static Optional<Signature> signature(FieldModel field) {
    return field.findAttribute(Attributes.signature()).map(found -> found.asTypeSignature());
  }

  private void check(String name, Signature signature) {
    if (signature instanceof ClassTypeSig type
        && !type.typeArgs().isEmpty()
        && type.typeArgs().getFirst() instanceof TypeArg.Bounded key
        && key.boundType() instanceof ClassTypeSig keyType
        && isIdentity(load(keyType))) {
      found.add(name);
    }
  }

  private Class<?> load(ClassTypeSig type) {
    try {
      String outer = type.outerType().map(o -> o.className() + "$").orElse("");
      return Class.forName((outer + type.className()).replace('/', '.'), false, loader);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isIdentity(Class<?> key) {
    if (key.isRecord()) {
      return Arrays.stream(key.getRecordComponents())
          .map(RecordComponent::getType)
          .anyMatch(IdentityHashes::isIdentity);
    }
    if (key.isPrimitive() || key == Object.class) {
      return false;
    }
    if (key.isSealed() && key.isInterface()) {
      return Arrays.stream(key.getPermittedSubclasses()).anyMatch(IdentityHashes::isIdentity);
    }
    if (key.isInterface()) {
      return false;
    }
    try {
      Class<?> hashes = key.getMethod("hashCode").getDeclaringClass();
      return hashes == Object.class || hashes == Enum.class;
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
  }
}
