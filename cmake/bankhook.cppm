// SPDX-License-Identifier: MIT
// The module of all public names: `import bankhook;`. Written by `./dev docs --write`.
// What bankhook::compiled has is compiled in this unit, too, and not in those that import it.
module;
#define BANKHOOK_COMPILED
#define BANKHOOK_COMPILING

#include <bankhook/bankhook.hpp>
#include <bankhook/check.hpp>
#include <bankhook/columns.hpp>
#include <bankhook/events.hpp>
#include <bankhook/machine.hpp>
#include <bankhook/parse.hpp>
#include <bankhook/sandbox.hpp>
#include <bankhook/schema.hpp>
#include <bankhook/serialize.hpp>
#include <bankhook/tracking.hpp>

export module bankhook;

export namespace bankhook { using bankhook::operator<<; }
export namespace bankhook { using bankhook::ArenaMemory; }
export namespace bankhook { using bankhook::Arena; }
export namespace bankhook { using bankhook::Enumeration; }
export namespace bankhook { using bankhook::enumerator_count; }
export namespace bankhook { using bankhook::enumerator_name; }
export namespace bankhook { using bankhook::enumerator_names; }
export namespace bankhook { using bankhook::name_of; }
export namespace bankhook { using bankhook::to_string; }
export namespace bankhook { using bankhook::Printable; }
export namespace bankhook { using bankhook::Errc; }
export namespace bankhook { using bankhook::Error; }
export namespace bankhook { using bankhook::Evidence; }
export namespace bankhook { using bankhook::Severity; }
export namespace bankhook { using bankhook::Verdict; }
export namespace bankhook { using bankhook::FixedString; }
export namespace bankhook { using bankhook::join_literals; }
export namespace bankhook { using bankhook::ContiguousBytes; }
export namespace bankhook { using bankhook::Bytes; }
export namespace bankhook { using bankhook::TransientBytes; }
export namespace bankhook { using bankhook::nullable; }
export namespace bankhook { using bankhook::maybe_absent; }
export namespace bankhook { using bankhook::library_version; }
export namespace bankhook { using bankhook::TimeUnit; }
export namespace bankhook { using bankhook::ColumnOptions; }
export namespace bankhook { using bankhook::KeptField; }
export namespace bankhook { using bankhook::ColumnErrc; }
export namespace bankhook { using bankhook::RejectedLine; }
export namespace bankhook { using bankhook::FindingRow; }
export namespace bankhook { using bankhook::ChangeRow; }
export namespace bankhook { using bankhook::OutcomeRow; }
export namespace bankhook { using bankhook::to_columns; }
export namespace bankhook { using bankhook::Account; }
export namespace bankhook { using bankhook::ConnectionEventType; }
export namespace bankhook { using bankhook::Connection; }
export namespace bankhook { using bankhook::ConnectionState; }
export namespace bankhook { using bankhook::ConnectionTrigger; }
export namespace bankhook { using bankhook::ConnectionLifecycle; }
export namespace bankhook { using bankhook::connection_transitions; }
export namespace bankhook { using bankhook::connection_lifecycle; }
export namespace bankhook { using bankhook::trigger_of; }
export namespace bankhook { using bankhook::Customer; }
export namespace bankhook { using bankhook::ConnectedCustomer; }
export namespace bankhook { using bankhook::TransactionStatus; }
export namespace bankhook { using bankhook::RejectionReason; }
export namespace bankhook { using bankhook::InitialTransaction; }
export namespace bankhook { using bankhook::TransactionTrigger; }
export namespace bankhook { using bankhook::TransactionLifecycle; }
export namespace bankhook { using bankhook::transaction_transitions; }
export namespace bankhook { using bankhook::transaction_lifecycle; }
export namespace bankhook { using bankhook::UnknownEvent; }
export namespace bankhook { using bankhook::AnyEvent; }
export namespace bankhook { using bankhook::match; }
export namespace bankhook { using bankhook::BankConnectionsUpdateV2; }
export namespace bankhook { using bankhook::InitialTransactionUpdate; }
export namespace bankhook { using bankhook::ArchiveLine; }
export namespace bankhook { using bankhook::LineCounts; }
export namespace bankhook { using bankhook::Lines; }
export namespace bankhook { using bankhook::parse_lines; }
export namespace bankhook { using bankhook::parse; }
export namespace bankhook { using bankhook::parse_as; }
export namespace bankhook { using bankhook::Document; }
export namespace bankhook { using bankhook::BrokenRule; }
export namespace bankhook { using bankhook::Findings; }
export namespace bankhook { using bankhook::check; }
export namespace bankhook { using bankhook::checked; }
export namespace bankhook { using bankhook::is_checked; }
export namespace bankhook { using bankhook::diagnose; }
export namespace bankhook { using bankhook::diagnose_as; }
export namespace bankhook { using bankhook::is_clean; }
export namespace bankhook { using bankhook::parse_strictly; }
export namespace bankhook { using bankhook::diagnose_lines; }
export namespace bankhook { using bankhook::Redaction; }
export namespace bankhook { using bankhook::Excerpt; }
export namespace bankhook { using bankhook::Excerpts; }
export namespace bankhook { using bankhook::Rejection; }
export namespace bankhook { using bankhook::rejection_of; }
export namespace bankhook { using bankhook::finding_of; }
export namespace bankhook { using bankhook::explain; }
export namespace bankhook { using bankhook::Finding; }
export namespace bankhook { using bankhook::RuleFilter; }
export namespace bankhook { using bankhook::max_findings; }
export namespace bankhook { using bankhook::RuleId; }
export namespace bankhook { using bankhook::Rule; }
export namespace bankhook { using bankhook::rules; }
export namespace bankhook { using bankhook::rule_of; }
export namespace bankhook { using bankhook::find_rule; }
export namespace bankhook { using bankhook::json_schema; }
export namespace bankhook { using bankhook::asyncapi; }
export namespace bankhook { using bankhook::serialize_to; }
export namespace bankhook { using bankhook::serialize; }
export namespace bankhook { using bankhook::serialize_over; }
export namespace bankhook { using bankhook::PaddedView; }
export namespace bankhook { using bankhook::PaddedString; }
export namespace bankhook { using bankhook::PathStep; }
export namespace bankhook { using bankhook::to_mermaid; }
export namespace bankhook { using bankhook::to_dot; }
export namespace bankhook { using bankhook::Machine; }
export namespace bankhook { using bankhook::machine; }
export namespace bankhook { using bankhook::CompleteMachine; }
export namespace bankhook { using bankhook::TableError; }
export namespace bankhook { using bankhook::FoundFault; }
export namespace bankhook { using bankhook::find_fault; }
export namespace bankhook { using bankhook::StateBefore; }
export namespace bankhook::table_words { using bankhook::table_words::begin; }
export namespace bankhook::table_words { using bankhook::table_words::never; }
export namespace bankhook::table_words { using bankhook::table_words::before_is_assumed; }
export namespace bankhook::table_words { using bankhook::table_words::unexpected; }
export namespace bankhook { using bankhook::Transition; }
export namespace bankhook { using bankhook::FinalState; }
export namespace bankhook { using bankhook::verdict_of; }
export namespace bankhook { using bankhook::MachineStep; }
export namespace bankhook { using bankhook::step; }
export namespace bankhook { using bankhook::Transitions; }
export namespace bankhook { using bankhook::transitions; }
export namespace bankhook { using bankhook::TableView; }
export namespace bankhook { using bankhook::view_of; }
export namespace bankhook { using bankhook::operator==; }
export namespace bankhook { using bankhook::Hash; }
export namespace bankhook { using bankhook::Meaning; }
export namespace bankhook { using bankhook::meanings_of; }
export namespace bankhook { using bankhook::meaning_of; }
export namespace bankhook { using bankhook::Owned; }
export namespace bankhook { using bankhook::OpenEnum; }
export namespace bankhook { using bankhook::TypeTag; }
export namespace bankhook { using bankhook::Renamed; }
export namespace bankhook { using bankhook::FaultKind; }
export namespace bankhook { using bankhook::DetectedBy; }
export namespace bankhook { using bankhook::Detectable; }
export namespace bankhook { using bankhook::Fault; }
export namespace bankhook { using bankhook::Delivery; }
export namespace bankhook { using bankhook::SandboxChoices; }
export namespace bankhook { using bankhook::SandboxChoice; }
export namespace bankhook { using bankhook::Faults; }
export namespace bankhook { using bankhook::SandboxOptions; }
export namespace bankhook { using bankhook::Submission; }
export namespace bankhook { using bankhook::SandboxError; }
export namespace bankhook { using bankhook::Sandbox; }
export namespace bankhook { using bankhook::QuotedForm; }
export namespace bankhook { using bankhook::Decimal; }
export namespace bankhook { using bankhook::OffsetForm; }
export namespace bankhook { using bankhook::LocalTimestamp; }
export namespace bankhook { using bankhook::Timestamp; }
export namespace bankhook { using bankhook::apply_lines; }
export namespace bankhook { using bankhook::ChangeKind; }
export namespace bankhook { using bankhook::ChangeSubject; }
export namespace bankhook { using bankhook::ChangeValue; }
export namespace bankhook { using bankhook::Change; }
export namespace bankhook { using bankhook::label_of; }
export namespace bankhook { using bankhook::raises_error; }
export namespace bankhook { using bankhook::status_reached; }
export namespace bankhook { using bankhook::Changes; }
export namespace bankhook { using bankhook::MayHoldAccounts; }
export namespace bankhook { using bankhook::JointAccounts; }
export namespace bankhook { using bankhook::Membership; }
export namespace bankhook { using bankhook::TrackedMember; }
export namespace bankhook { using bankhook::TrackedConnection; }
export namespace bankhook { using bankhook::TrackedTransaction; }
export namespace bankhook { using bankhook::MergeError; }
export namespace bankhook { using bankhook::MemberState; }
export namespace bankhook { using bankhook::TransactionTransition; }
export namespace bankhook { using bankhook::ConnectionTransition; }
export namespace bankhook { using bankhook::Reason; }
export namespace bankhook { using bankhook::Outcome; }
export namespace bankhook { using bankhook::StatusFrom; }
export namespace bankhook { using bankhook::Order; }
export namespace bankhook { using bankhook::TrackerOptions; }
export namespace bankhook { using bankhook::SnapshotLineKind; }
export namespace bankhook { using bankhook::SnapshotError; }
export namespace bankhook { using bankhook::Tracker; }
