package io.kiln.submit.shell;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A walk through what was typed, from some methods to all that they may call, which finds the
/// variables on the way. Only typed code is walked: no other knows a typed variable.
///
/// For use by one thread, once. All names are internal ones, as `REPL/$JShell$1`.
final class TypedCode {
  /// What JShell wraps around what is typed begins with it; what is defined there is nested in it.
  private static final String WRAPPER = "REPL/$JShell$";

  /// A typed variable.
  record VariableName(String owner, String name) {}

  private record MethodName(String owner, String name, String descriptor) {}

  private final ShellClasses classes;
  private final Map<String, Optional<ClassModel>> models = new HashMap<>();
  private final Set<Object> seen = new HashSet<>();
  private final Deque<MethodModel> unread = new ArrayDeque<>();
  private final Set<VariableName> variables = new LinkedHashSet<>();

  TypedCode(ShellClasses classes) {
    this.classes = classes;
  }

  /// Walks from one method.
  void addMethod(String owner, String name, String descriptor) {
    if (!seen.add(new MethodName(owner, name, descriptor))) {
      return;
    }
    if (!isWrapper(owner)) {
      addClass(owner);
      return;
    }
    model(owner)
        .ifPresent(
            model -> {
              for (MethodModel method : model.methods()) {
                if (method.methodName().equalsString(name)
                    && method.methodType().equalsString(descriptor)) {
                  unread.add(method);
                }
              }
            });
  }

  /// Walks from all methods of a class that was defined, of those it extends among them. A wrapper
  /// has no objects: its methods stand for themselves.
  void addClass(String name) {
    if (isWrapper(name) || !seen.add(name)) {
      return;
    }
    model(name)
        .ifPresent(
            model -> {
              unread.addAll(model.methods());
              model.superclass().map(ClassEntry::asInternalName).ifPresent(this::addClass);
              for (ClassEntry type : model.interfaces()) {
                addClass(type.asInternalName());
              }
            });
  }

  /// The variables that all of it uses.
  Set<VariableName> variables() {
    for (MethodModel method = unread.poll(); method != null; method = unread.poll()) {
      method.code().ifPresent(code -> code.forEach(this::read));
    }
    return variables;
  }

  private void read(CodeElement element) {
    switch (element) {
      case FieldInstruction field -> {
        boolean typed = isWrapper(field.owner().asInternalName());
        if (typed && field.opcode() == Opcode.GETSTATIC) {
          variables.add(
              new VariableName(field.owner().asInternalName(), field.name().stringValue()));
        }
      }
      case InvokeInstruction call ->
          addMethod(
              call.owner().asInternalName(), call.name().stringValue(), call.type().stringValue());
      case InvokeDynamicInstruction call -> call.bootstrapArgs().forEach(this::addHandle);
      case NewObjectInstruction creation -> addClass(creation.className().asInternalName());
      default -> {}
    }
  }

  private void addHandle(ConstantDesc argument) {
    if (argument instanceof DirectMethodHandleDesc handle) {
      String owner = handle.owner().descriptorString();
      addMethod(
          owner.substring(1, owner.length() - 1), handle.methodName(), handle.lookupDescriptor());
    }
  }

  private Optional<ClassModel> model(String internalName) {
    return models.computeIfAbsent(
        internalName,
        name ->
            classes
                .findClassBytes(name.replace('/', '.'))
                .map(bytes -> ClassFile.of().parse(bytes)));
  }

  private static boolean isWrapper(String internalName) {
    return internalName.startsWith(WRAPPER) && internalName.indexOf('$', WRAPPER.length()) < 0;
  }
}
