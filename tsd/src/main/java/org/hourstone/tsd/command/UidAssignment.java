package org.hourstone.tsd.command;

import java.util.HexFormat;
import java.util.List;
import org.hourstone.Tsdb;
import org.hourstone.error.RequestException;
import org.hourstone.tsd.session.Session;
import org.hourstone.uid.NameRules;
import org.hourstone.uid.UidKind;

/** Assigns UIDs on request of a user. */
final class UidAssignment {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private UidAssignment() {}

  /**
   * Assigns UIDs to names, shows them, and reports the names that can't get one.
   *
   * @return whether all got one
   */
  static boolean assign(Session session, UidKind kind, List<String> names) {
    NameRules rules = session.settings().options().nameRules();
    boolean all = true;
    try (Tsdb db = session.store().open()) {
      for (String name : names) {
        try {
          rules.check("name of " + kind.qualifier(), name);
          session.out().line(line(kind, name, db.uids().assign(kind, name)));
        } catch (RequestException e) {
          session.report(kind.qualifier() + " " + name + ": " + e.getMessage());
          all = false;
        }
      }
    }
    return all;
  }

  /** A name and its UID: {@code metrics sys.cpu.user: 000001}. */
  static String line(UidKind kind, String name, byte[] uid) {
    return kind.qualifier() + " " + name + ": " + HEX.formatHex(uid);
  }
}
