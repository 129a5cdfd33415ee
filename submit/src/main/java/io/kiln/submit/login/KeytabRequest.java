package io.kiln.submit.login;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/// Who is to log in, and with what.
///
/// @param keytab a file that is there
/// @param reloginPeriod how often to look whether the ticket has to be renewed; zero for never
/// @param culprit the option or setting to blame
/// @param settings of Hadoop, stronger than its files
public record KeytabRequest(
    String principal,
    Path keytab,
    Duration reloginPeriod,
    String culprit,
    Map<String, String> settings) {}
