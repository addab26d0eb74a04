package org.hourstone.api.request;

/**
 * What a program was built from.
 *
 * @param version such as {@code 1.2.0}
 * @param commit its 40 hexadecimal digits, followed by {@code -dirty} if sources had changed since;
 *     empty if unknown
 * @param time of the commit, so that two builds of it are equal, such as {@code
 *     2026-11-28T04:40:44+00:00}; empty if unknown
 */
public record Build(String version, String commit, String time) {
  private static final String DIRTY = "-dirty";

  /** A program of which only the version is known. */
  public static Build of(String version) {
    return new Build(version, "", "");
  }

  /** Whether sources had changed since the commit. */
  public boolean isModified() {
    return commit.endsWith(DIRTY);
  }

  /** The digits of the commit. */
  public String revision() {
    return isModified() ? commit.substring(0, commit.length() - DIRTY.length()) : commit;
  }

  /** The version, and in parentheses what else is known. */
  @Override
  public String toString() {
    return commit.isEmpty() ? version : version + " (commit " + commit + " of " + time + ")";
  }
}
