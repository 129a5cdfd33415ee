package io.kiln.dist;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Which public operations the API has, by reflection, and which of them a program uses, by its
/// bytecode: those that it calls or refers to, and the abstract ones that it implements. An
/// operation is named by the class that declares it, with the simple names of its parameters.
final class ApiUse {
  private static final List<String> PACKAGES =
      List.of(
          "io.kiln.api", "io.kiln.api.accumulator", "io.kiln.api.function", "io.kiln.api.listener");
  private static final Set<String> OF_EVERY_OBJECT = Set.of("equals", "hashCode", "toString");

  private final Set<String> used = new TreeSet<>();
  private final Map<ClassDesc, ClassDesc> parents = new HashMap<>(); // of the program's classes

  private ApiUse() {}

  /// Without what every class, record or enum has anyway.
  static Set<String> operations() throws Exception {
    Set<String> operations = new TreeSet<>();
    for (Class<?> type : publicClasses()) {
      for (Member member : members(type)) {
        if (counts(member)) {
          operations.add(name(member));
        }
      }
    }
    return operations;
  }

  private static List<Class<?>> publicClasses() throws Exception {
    Path api =
        Layout.jars("jars/shared").stream()
            .filter(jar -> jar.getFileName().toString().startsWith("kiln-api"))
            .findFirst()
            .orElseThrow();
    List<Class<?>> classes = new ArrayList<>();
    try (JarFile jar = new JarFile(api.toFile())) {
      for (String entry : jar.stream().map(e -> e.getName()).toList()) {
        if (entry.endsWith(".class") && !entry.endsWith("-info.class")) {
          Class<?> type = Class.forName(entry.replace('/', '.').replace(".class", ""));
          if (Modifier.isPublic(type.getModifiers()) && PACKAGES.contains(type.getPackageName())) {
            classes.add(type);
          }
        }
      }
    }
    return classes;
  }

  private static List<Member> members(Class<?> type) {
    return Stream.<Member[]>of(
            type.getDeclaredConstructors(), type.getDeclaredMethods(), type.getDeclaredFields())
        .flatMap(Arrays::stream)
        .toList();
  }

  private static boolean counts(Member member) {
    if (!Modifier.isPublic(member.getModifiers()) || member.isSynthetic()) {
      return false;
    }
    boolean ofEnum = member.getDeclaringClass().isEnum();
    return switch (member) {
      case Field field ->
          !ofEnum && !field.getType().isPrimitive() && field.getType() != String.class;
      case Method method ->
          !OF_EVERY_OBJECT.contains(method.getName())
              && !(ofEnum && Set.of("values", "valueOf").contains(method.getName()));
      default -> true;
    };
  }

  private static String name(Member member) {
    String type = member.getDeclaringClass().getName();
    type = type.substring(type.lastIndexOf('.') + 1).replace('$', '.');
    return switch (member) {
      case Constructor<?> constructor -> "new " + type + parameters(constructor);
      case Method method -> type + "." + method.getName() + parameters(method);
      default -> type + "." + member.getName();
    };
  }

  private static String parameters(Executable executable) {
    return Arrays.stream(executable.getParameterTypes())
        .map(Class::getSimpleName)
        .collect(Collectors.joining(", ", "(", ")"));
  }

  /// @param classes of the program
  static Set<String> usedBy(Path classes) throws Exception {
    ApiUse use = new ApiUse();
    List<ClassModel> models = new ArrayList<>();
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
        models.add(parse(file));
      }
    }
    for (ClassModel model : models) {
      model
          .superclass()
          .ifPresent(parent -> use.parents.put(model.thisClass().asSymbol(), parent.asSymbol()));
    }
    for (ClassModel model : models) {
      for (MethodModel method : model.methods()) {
        use.addImplemented(model, method);
        method.code().ifPresent(code -> code.forEach(use::addUsed));
      }
    }
    return use.used;
  }

  private static ClassModel parse(Path file) throws IOException {
    return ClassFile.of().parse(file);
  }

  private void addUsed(Object element) {
    switch (element) {
      case InvokeInstruction call ->
          add(call.owner().asSymbol(), call.name().stringValue(), call.type().stringValue());
      case FieldInstruction access ->
          apiClass(access.owner().asSymbol()).stream()
              .flatMap(type -> Arrays.stream(type.getFields()))
              .filter(field -> access.name().equalsString(field.getName()))
              .forEach(field -> used.add(name(field)));
      case InvokeDynamicInstruction function -> {
        apiClass(function.typeSymbol().returnType()).ifPresent(this::addAbstract);
        function.bootstrapArgs().stream()
            .filter(argument -> argument instanceof DirectMethodHandleDesc)
            .map(argument -> (DirectMethodHandleDesc) argument)
            .forEach(to -> add(to.owner(), to.methodName(), to.lookupDescriptor()));
      }
      default -> {}
    }
  }

  private void add(ClassDesc owner, String name, String descriptor) {
    apiClass(owner)
        .flatMap(type -> find(type, name, descriptor))
        .ifPresent(it -> used.add(name(it)));
  }

  /// What a lambda implements.
  private void addAbstract(Class<?> type) {
    for (Method method : type.getMethods()) {
      if (Modifier.isAbstract(method.getModifiers())) {
        used.add(name(method));
      }
    }
  }

  /// Every method of the API that a class of the program overrides.
  private void addImplemented(ClassModel model, MethodModel method) {
    Stream.concat(model.superclass().stream(), model.interfaces().stream())
        .map(ClassEntry::asSymbol)
        .forEach(
            parent ->
                add(parent, method.methodName().stringValue(), method.methodType().stringValue()));
  }

  /// The member as the class or one above it declares it.
  private static Optional<Member> find(Class<?> type, String name, String descriptor) {
    List<Class<?>> line = new ArrayList<>();
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      line.add(at);
    }
    line.addAll(List.of(type.getInterfaces()));
    for (Class<?> at : line) {
      for (Member member : members(at)) {
        if (member instanceof Executable executable
            && !executable.isSynthetic()
            && descriptor.equals(descriptor(executable))
            && name.equals(executable instanceof Method method ? method.getName() : "<init>")) {
          return Optional.of(executable);
        }
      }
    }
    return Optional.empty();
  }

  private static String descriptor(Executable executable) {
    String parameters =
        Arrays.stream(executable.getParameterTypes())
            .map(Class::descriptorString)
            .collect(Collectors.joining("", "(", ")"));
    return parameters
        + (executable instanceof Method method ? method.getReturnType().descriptorString() : "V");
  }

  /// The class, or the nearest above it, that is the API's.
  private Optional<Class<?>> apiClass(ClassDesc type) {
    if (parents.containsKey(type)) {
      return apiClass(parents.get(type));
    }
    if (!type.isClassOrInterface() || !PACKAGES.contains(type.packageName())) {
      return Optional.empty();
    }
    try {
      return Optional.of(Class.forName(type.packageName() + "." + type.displayName()));
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
