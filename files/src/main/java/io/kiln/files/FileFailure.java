package io.kiln.files;

import io.kiln.api.KilnException;
import io.kiln.api.KilnException.Kind;
import io.kiln.base.filesystem.FileSystemUnavailable;
import java.io.IOException;
import java.io.NotSerializableException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/// The errors of this module, each with its one-line message.
final class FileFailure {

  private FileFailure() {}

  static KilnException inputMissing(String absolutePath) {
    return new KilnException(
        "INPUT_PATH_MISSING",
        Kind.USER,
        "input path does not exist: " + absolutePath + "; correct the path or create the input");
  }

  static KilnException patternMatchesNothing(String absolutePattern) {
    return new KilnException(
        "INPUT_PATH_MISSING",
        Kind.USER,
        "input pattern matches no file: "
            + absolutePattern
            + "; correct the pattern or create the input");
  }

  static KilnException badPattern(String pattern, String why) {
    return new KilnException(
        "INPUT_PATTERN_INVALID",
        Kind.USER,
        "can't read the input pattern '"
            + pattern
            + "': "
            + why
            + "; correct it, or escape with \\");
  }

  static KilnException nestedDirectory(String path) {
    return new KilnException(
        "INPUT_NOT_A_FILE",
        Kind.USER,
        "input is not a file: "
            + path
            + " is a directory inside an input directory; name it by a pattern, or set "
            + PathFileFormats.RECURSIVE_KEY
            + "=true");
  }

  static KilnException unreadable(String path, IOException cause) {
    if (cause instanceof FileSystemUnavailable) {
      return unavailable("can't read ", path, cause);
    }
    return new KilnException(
        "INPUT_READ_FAILED",
        Kind.EXTERNAL,
        "can't read " + path + ": " + reason(cause) + "; check the file",
        cause);
  }

  static KilnException lineTooLong(String path, long offset) {
    return new KilnException(
        "LINE_TOO_LONG",
        Kind.USER,
        "can't read "
            + path
            + ": the line that begins at byte "
            + offset
            + " is longer than 2 GiB; read the file with binaryFiles or binaryRecords");
  }

  static KilnException codecUnsupported(String codec, String where) {
    return new KilnException(
        "CODEC_UNSUPPORTED",
        Kind.USER,
        "can't use the compression '"
            + codec
            + "' for "
            + where
            + "; use one of "
            + Compression.codecs()
            + ", or none");
  }

  static KilnException compressedByAnotherName(String path, Compression found) {
    return new KilnException(
        "INPUT_IS_COMPRESSED",
        Kind.USER,
        "can't read "
            + path
            + " as text: it is compressed with "
            + found.codec()
            + ", but its name does not end in "
            + found.extension()
            + "; rename it");
  }

  static KilnException badRecordLength(String why) {
    return new KilnException(
        "RECORD_LENGTH_INVALID", Kind.USER, why + "; give the length that the records have");
  }

  static KilnException badMinPartitions(int minPartitions) {
    return new KilnException(
        "MIN_PARTITIONS_INVALID",
        Kind.USER,
        "minPartitions must not be negative, but is " + minPartitions + "; give 0 or more");
  }

  static KilnException corruptObjectFile(String path, String why) {
    return new KilnException(
        "OBJECT_FILE_CORRUPT",
        Kind.EXTERNAL,
        "can't read the object file " + path + ": " + why + "; write it again");
  }

  static KilnException recordClassMissing(String path, ClassNotFoundException cause) {
    return new KilnException(
        "RECORD_CLASS_MISSING",
        Kind.USER,
        "can't read the object file "
            + path
            + ": the class "
            + cause.getMessage()
            + " is not there; add the jar that has it",
        cause);
  }

  static KilnException recordNotSerializable(Object value, NotSerializableException cause) {
    return new KilnException(
        "RECORD_NOT_SERIALIZABLE",
        Kind.APPLICATION,
        "can't write a record of "
            + value.getClass().getName()
            + ": "
            + cause.getMessage()
            + " is not Serializable; make it so, or map the records to a type that is",
        cause);
  }

  static KilnException recordTooDeep(Object value) {
    return new KilnException(
        "RECORD_NOT_SERIALIZABLE",
        Kind.APPLICATION,
        "can't write a record of "
            + value.getClass().getName()
            + ": it is nested too deeply; keep what is linked in a list or an array");
  }

  static KilnException outputExists(String path) {
    return new KilnException(
        "OUTPUT_PATH_EXISTS",
        Kind.USER,
        "output directory exists already: "
            + path
            + "; choose another, or delete it if it is no longer needed");
  }

  static KilnException outputUnwritable(String path, IOException cause) {
    if (cause instanceof FileSystemUnavailable) {
      return unavailable("can't write to ", path, cause);
    }
    return new KilnException(
        "OUTPUT_WRITE_FAILED",
        cause instanceof AccessDeniedException || cause instanceof NotDirectoryException
            ? Kind.USER
            : Kind.RESOURCES,
        "can't write to "
            + path
            + ": "
            + reason(cause)
            + "; choose a directory with the space and the permission",
        cause);
  }

  static KilnException undeletable(String path, IOException cause) {
    if (cause instanceof FileSystemUnavailable) {
      return unavailable("can't delete ", path, cause);
    }
    return new KilnException(
        "DELETE_FAILED",
        Kind.RESOURCES,
        "can't delete " + path + ": " + reason(cause) + "; check its permissions",
        cause);
  }

  private static KilnException unavailable(String what, String path, IOException cause) {
    return new KilnException(
        "FILE_SYSTEM_UNAVAILABLE", Kind.EXTERNAL, what + path + ": " + cause.getMessage(), cause);
  }

  private static String reason(IOException cause) {
    return switch (cause) {
      case AccessDeniedException denied ->
          "permission denied for "
              + denied.getFile()
              + (denied.getReason() == null ? "" : " (" + denied.getReason() + ")");
      case NoSuchFileException missing -> missing.getFile() + " does not exist";
      case NotDirectoryException file -> file.getFile() + " is not a directory";
      case FileSystemException other when other.getReason() != null ->
          other.getFile() + ": " + other.getReason();
      default -> cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    };
  }
}
