package org.hourstone.api.otlp;

import java.util.LinkedHashMap;
import java.util.Map;
import org.hourstone.Settings;
import org.hourstone.api.door.EscapedNames;
import org.hourstone.api.door.NameBytes;
import org.hourstone.api.proto.ProtoReader;
import org.hourstone.api.proto.UnreadableException;
import org.hourstone.error.RequestException;
import org.hourstone.uid.NameRules;
import org.hourstone.uid.SeriesName;
import org.hourstone.write.EncodedPoints;

/**
 * The names of series that {@link SeriesKeys} denotes. An attribute replaces an earlier one of the
 * same name. Immutable.
 */
final class OtlpNames implements EncodedPoints.Protocol {
  /** Bytes of a metric's name, which is in memory once for each of its series. */
  private static final int LONGEST_NAME = 1024;

  /** Bytes of what a metric's series have in common, which is read for each of them. */
  static final int LONGEST_COMMON = 8192;

  static final String COMMON_HAS = "the metric's name and the tags of its resource and scope have";

  private final NameRules rules;

  OtlpNames(NameRules rules) {
    this.rules = rules;
  }

  @Override
  public SeriesName name(byte[] text, int from, int to, int from2, int to2) {
    try {
      ProtoReader first = new ProtoReader(text, from, to);
      long length = first.varint();
      int begin = first.take(length);
      if (length == 0) {
        throw new RequestException("the metric has no name");
      }
      NameBytes.check("the metric's name has", length, LONGEST_NAME);
      NameBytes.check(COMMON_HAS, to - from, LONGEST_COMMON);
      String metric = NameBytes.text("the metric's name", text, begin, begin + (int) length);
      Map<String, String> tags = new LinkedHashMap<>();
      addTags(first, text, tags);
      ProtoReader second = new ProtoReader(text, from2, to2);
      Part part = Part.of(text[second.take(1)]);
      addTags(second, text, tags);
      if (tags.isEmpty()) {
        tags.put(EscapedNames.BEGIN, EscapedNames.BEGIN);
      } else if (tags.size() > rules.maxTags()) {
        throw new RequestException(
            tags.size()
                + " attributes are tags, more than "
                + rules.maxTags()
                + " ("
                + Settings.MAX_TAGS.key()
                + "): "
                + tags.keySet());
      }
      return new SeriesName(escaped(part.of(metric)), tags);
    } catch (UnreadableException e) {
      throw new RequestException("an attribute is " + e.why(), e);
    }
  }

  @Override
  public SeriesName name(SeriesName sibling, byte[] text, int from, int to, int from2, int to2) {
    SeriesName name = name(text, from, to, from2, to2);
    Map<String, String> tags = new LinkedHashMap<>();
    name.tags().forEach((tagk, tagv) -> tags.put(shared(tagk, sibling), shared(tagv, sibling)));
    return new SeriesName(shared(name.metric(), sibling), tags);
  }

  /** A text that is in memory already if the sibling has an equal one. */
  private static String shared(String text, SeriesName sibling) {
    if (text.equals(sibling.metric())) {
      return sibling.metric();
    }
    for (Map.Entry<String, String> tag : sibling.tags().entrySet()) {
      if (text.equals(tag.getKey())) {
        return tag.getKey();
      }
      if (text.equals(tag.getValue())) {
        return tag.getValue();
      }
    }
    return text;
  }

  private void addTags(ProtoReader in, byte[] text, Map<String, String> to)
      throws UnreadableException {
    while (in.hasMore()) {
      long length = in.varint();
      int begin = in.take(length);
      ProtoReader attribute = new ProtoReader(text, begin, begin + (int) length);
      String key = "";
      String value = "";
      while (attribute.next()) {
        if (attribute.field() == Otlp.KEY) {
          key = NameBytes.text("an attribute's name", text, attribute.from(), attribute.to());
        } else if (attribute.field() == Otlp.VALUE) {
          value = AttributeText.of(text, attribute.from(), attribute.to());
        }
      }
      to.put(escaped(key), escaped(value));
    }
  }

  private String escaped(String name) {
    return EscapedNames.escaped(name, rules);
  }
}
