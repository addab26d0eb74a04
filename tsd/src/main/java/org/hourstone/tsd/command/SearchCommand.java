package org.hourstone.tsd.command;

import picocli.CommandLine.Command;

/** {@code search}. */
@Command(
    name = "search",
    subcommands = SearchLookupCommand.class,
    synopsisSubcommandLabel = "lookup",
    description = "Finds series.",
    footer = {"  hourstone search lookup sys.cpu.user host=web01"})
public final class SearchCommand {}
