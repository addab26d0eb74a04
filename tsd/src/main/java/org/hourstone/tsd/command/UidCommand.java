package org.hourstone.tsd.command;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.hourstone.Setting;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.session.UidWord;
import org.hourstone.tsd.session.UsageException;
import org.hourstone.uid.NoSuchUidException;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;
import org.hourstone.write.SingleLine;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;

/** {@code uid}: looks up a name or UID, and has subcommands. */
@Command(
    name = "uid",
    subcommands = {
      UidAssignCommand.class,
      UidGrepCommand.class,
      UidRenameCommand.class,
      UidDeleteCommand.class,
      UidStatsCommand.class,
      UidFsckCommand.class,
      UidReclaimCommand.class,
      UidMetasyncCommand.class,
      UidMetapurgeCommand.class,
      UidTreesyncCommand.class,
      UidTreepurgeCommand.class
    },
    parameterListHeading = "",
    customSynopsis = {"hourstone uid [KIND] NAME|UID", "hourstone uid COMMAND …"},
    description = {
      "Manages the names of metrics, tag keys and tag values, and their UIDs.",
      "",
      "Without a command it shows the UID of a name, or the name of a UID: in hex of the full"
          + " width (000001), as a number (1) or as bytes ('[0, 0, 1]'). KIND is metrics, tagk or"
          + " tagv; without it all of them are searched. The exit status is 1 if nothing is"
          + " found, 3 if the store fails."
    },
    footer = {
      "  hourstone uid sys.cpu.user",
      "  hourstone uid tagk 000001",
      "  hourstone uid assign metrics sys.cpu.user sys.cpu.system",
      "  hourstone uid grep tagk '^h'",
      "  hourstone uid rename metrics sys.cpu.usr sys.cpu.user",
      "  hourstone uid delete tagv web01",
      "  hourstone uid stats",
      "  hourstone uid fsck",
      "  hourstone uid reclaim --dry-run"
    })
public final class UidCommand extends SessionCommand {
  @Parameters(arity = "0..2", hidden = true)
  List<String> words = new ArrayList<>();

  @Option(
      names = "--idwidth",
      paramLabel = "BYTES",
      scope = ScopeType.INHERIT,
      description = "Bytes of a UID of each kind; the same as the three settings.")
  void idWidth(@Nullable Integer bytes) {
    if (bytes == null) {
      return; // not given
    }
    for (Setting<?> key :
        List.of(Settings.UID_WIDTH_METRIC, Settings.UID_WIDTH_TAGK, Settings.UID_WIDTH_TAGV)) {
      session().settings().set("--idwidth", key, bytes.toString());
    }
  }

  @Override
  protected boolean run() {
    if (words.isEmpty()) {
      throw new UsageException("no command given, and no name or UID to look up");
    }
    Set<UidKind> kinds =
        words.size() == 1 ? EnumSet.allOf(UidKind.class) : EnumSet.of(UidKind.parse(words.get(0)));
    String word = words.get(words.size() - 1);
    boolean found = false;
    try (Tsdb db = session().store().openToRead()) {
      for (UidKind kind : kinds) {
        found |= showUid(db.uids(), kind, word);
        found |= showName(db.uids(), kind, word);
      }
    }
    if (!found) {
      session()
          .report(
              "no name and no UID"
                  + (words.size() == 1 ? "" : " of " + words.get(0))
                  + " is '"
                  + word
                  + "'");
    }
    return found;
  }

  private boolean showUid(UidTable uids, UidKind kind, String name) {
    byte[] uid = uids.find(kind, name);
    if (uid == null) {
      return false;
    }
    out().line(SingleLine.of(UidAssignment.line(kind, name, uid)));
    return true;
  }

  private boolean showName(UidTable uids, UidKind kind, String text) {
    byte[] uid = UidWord.parse(text, uids.width(kind));
    if (uid == null) {
      return false;
    }
    try {
      String name = uids.name(kind, uid);
      out().line(SingleLine.of(UidAssignment.line(kind, name, uid)));
      return true;
    } catch (NoSuchUidException e) {
      return false;
    }
  }
}
