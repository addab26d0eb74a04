package org.hourstone.uid;

import java.util.Map;
import org.hourstone.error.RequestException;
import org.hourstone.kv.Limits;

/**
 * The characters allowed in names: letters, digits, {@code - _ . /} and configured ones. Names are
 * stored as ISO-8859-1, in which all other letters would become {@code ?} and share one UID, so
 * they are refused unless configured otherwise. Immutable. See {@code
 * docs/format/text-input.md#names}.
 */
public final class NameRules {
  private static final int MAX_LATIN1 = 0xFF;

  private final String specialCharacters;
  private final boolean allowNonLatin1;
  private final int maxTags;

  /**
   * @param specialCharacters additional characters allowed; may be empty
   * @param allowNonLatin1 whether letters outside ISO-8859-1 are accepted and stored as {@code ?}
   * @param maxTags the maximum number of tags of a series, at least 1
   */
  public NameRules(String specialCharacters, boolean allowNonLatin1, int maxTags) {
    this.specialCharacters = specialCharacters;
    this.allowNonLatin1 = allowNonLatin1;
    this.maxTags = maxTags;
  }

  /**
   * Checks the names of a series: number of tags, then the metric, then each tag.
   *
   * @throws RequestException if a check fails; the message names it
   */
  public void checkSeries(String metric, Map<String, String> tags) {
    if (tags.isEmpty()) {
      throw new RequestException(
          "Need at least one tag (metric=" + metric + ", tags=" + tags + ")");
    }
    if (tags.size() > maxTags) {
      throw new RequestException(
          "Too many tags: " + tags.size() + " maximum allowed: " + maxTags + ", tags: " + tags);
    }
    check("metric name", metric);
    for (Map.Entry<String, String> tag : tags.entrySet()) {
      if (!allows(tag.getKey()) || !allows(tag.getValue())) { // else the text is not needed
        check("tag name with value [" + tag.getValue() + "]", tag.getKey());
        check("tag value with key [" + tag.getKey() + "]", tag.getValue());
      }
    }
  }

  /** The most tags that a series may have. */
  public int maxTags() {
    return maxTags;
  }

  /** Whether a name passes {@link #check}. */
  public boolean allows(String name) {
    for (int i = 0; i < name.length(); i++) {
      if (!isLegal(name.charAt(i)) || (name.charAt(i) > MAX_LATIN1 && !allowNonLatin1)) {
        return false;
      }
    }
    return !name.isEmpty() && name.length() <= Limits.ROW_KEY;
  }

  /**
   * Checks one name.
   *
   * @param what the kind of the name, for the message
   * @throws RequestException if it is invalid; the message says why
   */
  public void check(String what, String name) {
    if (name.isEmpty()) {
      throw new RequestException("Invalid " + what + ": empty string");
    }
    if (name.length() > Limits.ROW_KEY) {
      throw new RequestException(
          "Invalid " + what + ": " + name.length() + " characters, more than " + Limits.ROW_KEY);
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (!isLegal(c)) {
        throw new RequestException(
            "Invalid " + what + " (\"" + name + "\"): illegal character: " + c);
      }
      if (c > MAX_LATIN1 && !allowNonLatin1) {
        throw new RequestException(
            "Invalid " + what + " (\"" + name + "\"): not in ISO-8859-1: " + c);
      }
    }
  }

  private boolean isLegal(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '-'
        || c == '_'
        || c == '.'
        || c == '/'
        || Character.isLetter(c)
        || specialCharacters.indexOf(c) >= 0;
  }
}
