package org.hourstone.tsd;

import picocli.CommandLine.Command;

/** {@code search}. */
@Command(
    name = "search",
    subcommands = SearchLookupCommand.class,
    synopsisSubcommandLabel = "lookup",
    description = "Finds series.",
    footer = {"  hourstone search lookup sys.cpu.user host=web01"})
final class SearchCommand {}
