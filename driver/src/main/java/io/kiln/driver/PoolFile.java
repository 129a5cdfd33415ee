package io.kiln.driver;

import io.kiln.api.KilnException;
import io.kiln.scheduler.PoolSpec;
import io.kiln.scheduler.SchedulingMode;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;
import org.xml.sax.helpers.DefaultHandler;

/// Reads a file of pools: `<allocations>` with a `<pool name="…">` each, in it `schedulingMode`
/// (`FIFO` or `FAIR`), `weight` and `minShare`, all of them optional.
final class PoolFile {

  private PoolFile() {}

  /// @param name of the file, for messages
  /// @throws KilnException `SETTING_INVALID`, saying what is wrong and where
  static List<PoolSpec> read(InputStream in, String name) {
    NodeList elements;
    try {
      var builder = safeFactory().newDocumentBuilder();
      builder.setErrorHandler(new DefaultHandler()); // throws, and prints nothing
      elements = builder.parse(in).getDocumentElement().getElementsByTagName("pool");
    } catch (SAXParseException e) {
      throw invalid(name, "line " + e.getLineNumber() + ": " + e.getMessage(), e);
    } catch (SAXException | IOException | ParserConfigurationException e) {
      throw invalid(name, String.valueOf(e.getMessage()), e);
    }
    List<PoolSpec> pools = new ArrayList<>(elements.getLength());
    for (int i = 0; i < elements.getLength(); i++) {
      pools.add(pool((Element) elements.item(i), name));
    }
    return pools;
  }

  // A file of pools needs no document type and nothing from elsewhere.
  private static DocumentBuilderFactory safeFactory() throws ParserConfigurationException {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
    factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_DTD, "");
    factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "");
    factory.setXIncludeAware(false);
    factory.setExpandEntityReferences(false);
    return factory;
  }

  private static PoolSpec pool(Element element, String file) {
    String name = element.getAttribute("name").trim();
    if (name.isEmpty()) {
      throw invalid(file, "a pool has no name", null);
    }
    return new PoolSpec(
        name,
        mode(text(element, "schedulingMode", "FIFO"), name, file),
        number(element, "weight", 1, 1, name, file),
        number(element, "minShare", 0, 0, name, file));
  }

  private static SchedulingMode mode(String text, String pool, String file) {
    return switch (text.toUpperCase(Locale.ROOT)) {
      case "FIFO" -> SchedulingMode.FIFO;
      case "FAIR" -> SchedulingMode.FAIR;
      default ->
          throw invalid(
              file, "pool " + pool + ": schedulingMode must be FIFO or FAIR, not " + text, null);
    };
  }

  private static int number(
      Element element, String tag, int missing, int atLeast, String pool, String file) {
    String text = text(element, tag, Integer.toString(missing));
    try {
      int value = Integer.parseInt(text);
      if (value >= atLeast) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw invalid(file, expectation(pool, tag, atLeast, text), e);
    }
    throw invalid(file, expectation(pool, tag, atLeast, text), null);
  }

  private static String expectation(String pool, String tag, int atLeast, String text) {
    return "pool "
        + pool
        + ": "
        + tag
        + " must be a whole number from "
        + atLeast
        + ", not "
        + text;
  }

  private static String text(Element element, String tag, String missing) {
    NodeList found = element.getElementsByTagName(tag);
    String text = found.getLength() == 0 ? "" : found.item(0).getTextContent().trim();
    return text.isEmpty() ? missing : text;
  }

  private static KilnException invalid(String file, String why, Throwable cause) {
    return new KilnException(
        "SETTING_INVALID",
        KilnException.Kind.USER,
        "can't read the pools of spark.scheduler.allocation.file " + file + ": " + why,
        cause);
  }
}
