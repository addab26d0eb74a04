package org.hourstone.tsd;

import org.hourstone.tsd.command.AuthCommand;
import org.hourstone.tsd.command.BackupCommand;
import org.hourstone.tsd.command.CellsCommand;
import org.hourstone.tsd.command.CompactCommand;
import org.hourstone.tsd.command.ConfigCommand;
import org.hourstone.tsd.command.CopyCommand;
import org.hourstone.tsd.command.DemoCommand;
import org.hourstone.tsd.command.FlushCommand;
import org.hourstone.tsd.command.FsckCommand;
import org.hourstone.tsd.command.ImportCommand;
import org.hourstone.tsd.command.IndexCommand;
import org.hourstone.tsd.command.LastCommand;
import org.hourstone.tsd.command.LoadCellsCommand;
import org.hourstone.tsd.command.MkmetricCommand;
import org.hourstone.tsd.command.PutCommand;
import org.hourstone.tsd.command.QueryCommand;
import org.hourstone.tsd.command.RestoreCommand;
import org.hourstone.tsd.command.RetentionCommand;
import org.hourstone.tsd.command.RollupCommand;
import org.hourstone.tsd.command.ScanCommand;
import org.hourstone.tsd.command.SearchCommand;
import org.hourstone.tsd.command.TsdCommand;
import org.hourstone.tsd.command.UidCommand;
import org.hourstone.tsd.command.VersionCommand;
import org.hourstone.tsd.compare.CompareCommand;
import org.hourstone.tsd.regions.RegionsCommand;
import org.hourstone.tsd.regions.StatusCommand;
import org.hourstone.tsd.regions.WritersCommand;
import org.hourstone.tsd.session.GlobalOptions;
import org.hourstone.tsd.session.Version;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.ScopeType;

/** The top-level command, and the commands below it. */
@Command(
    name = "hourstone",
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    usageHelpAutoWidth = true,
    sortOptions = false,
    descriptionHeading = "%n",
    parameterListHeading = "%n",
    optionListHeading = "%nOptions:%n",
    commandListHeading = "%nCommands:%n",
    footerHeading = "%nExamples:%n",
    subcommands = {
      DemoCommand.class,
      ImportCommand.class,
      PutCommand.class,
      QueryCommand.class,
      LastCommand.class,
      ScanCommand.class,
      FsckCommand.class,
      CellsCommand.class,
      LoadCellsCommand.class,
      CopyCommand.class,
      CompareCommand.class,
      BackupCommand.class,
      RestoreCommand.class,
      CompactCommand.class,
      FlushCommand.class,
      RetentionCommand.class,
      RollupCommand.class,
      IndexCommand.class,
      SearchCommand.class,
      UidCommand.class,
      MkmetricCommand.class,
      RegionsCommand.class,
      StatusCommand.class,
      WritersCommand.class,
      VersionCommand.class,
      TsdCommand.class,
      AuthCommand.class,
      ConfigCommand.class,
      HelpCommand.class
    },
    description = "A time-series database in OpenTSDB's storage format.",
    footer = {
      "  hourstone demo",
      "  hourstone --store rocksdb:/var/lib/hourstone import metrics.txt.gz",
      "  hourstone --config opentsdb.conf query 1d-ago 'sum:my.metric'",
      "  hourstone query --help"
    })
public final class RootCommand extends GlobalOptions {}
