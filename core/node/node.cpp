// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/node.h"

#include "core/node/node_impl.h"
#include "core/node/protocol/reply_codec.h"

namespace rankdeck {

namespace {

// Sends the encoded request and decodes the body of the answer, on the node's thread.
template <class T, class Impl, class Decode>
Reply<T> ask(Impl &impl, Result<EncodedRequest> encoded, Decode decode)
{
    auto promise = std::make_shared<std::promise<Result<T>>>();
    Reply<T> reply = promise->get_future();
    if (!encoded) {
        promise->set_value(encoded.error());
        return reply;
    }
    impl.submit(std::move(*encoded), [promise, decode](Result<std::string_view> body) -> Status {
        if (!body) {
            promise->set_value(body.error());
            return Done{};
        }
        Result<T> value = decode(*body);
        Status understood = value ? Status(Done{}) : Status(value.error());
        promise->set_value(std::move(value));
        return understood;
    });
    return reply;
}

}  // namespace

Node::Node(NodeSpec spec, ConnectOptions options, std::shared_ptr<SessionFactory> sessions, NodeListener &listener)
    : m_impl(std::make_unique<Impl>(std::move(spec), std::move(options), std::move(sessions), listener))
{}

Node::~Node() = default;

void Node::start() { m_impl->start(); }

void Node::start(const LinkTiming &timing)
{
    m_impl->setTiming(timing);
    m_impl->start();
}

void Node::watch(WatchSpec spec) { m_impl->watch(std::move(spec)); }

void Node::answer(Answer answer) { m_impl->answer(std::move(answer)); }

void Node::retryNow() { m_impl->retryNow(); }

NodeStatus Node::status() const { return m_impl->status(); }

Reply<Listing> Node::list(ListRequest request)
{
    return ask<Listing>(*m_impl, encodeRequest(request),
                        [root = request.root](std::string_view body) { return decodeListing(body, root); });
}

Reply<std::vector<RangeReply>> Node::read(std::vector<RangeRequest> ranges)
{
    return ask<std::vector<RangeReply>>(*m_impl, encodeRequest(ranges), [asked = ranges.size()](std::string_view body) {
        return decodeRanges(body, asked);
    });
}

Reply<std::vector<ScanReply>> Node::scanRecords(std::vector<ScanRequest> files)
{
    return ask<std::vector<ScanReply>>(*m_impl, encodeRequest(files), [asked = files.size()](std::string_view body) {
        return decodeSkims(body, asked);
    });
}

Reply<FileContent> Node::readFile(std::string path, std::uint32_t maxBytes)
{
    return ask<FileContent>(*m_impl, encodeReadFile(path, maxBytes), decodeFileContent);
}

Reply<ReplaceReply> Node::replaceFile(ReplaceRequest request)
{
    return ask<ReplaceReply>(*m_impl, encodeRequest(request), decodeReplace);
}

Reply<std::vector<DiskSpace>> Node::diskSpace(std::vector<std::string> directories)
{
    return ask<std::vector<DiskSpace>>(
        *m_impl, encodeRoom(directories),
        [asked = directories.size()](std::string_view body) { return decodeRooms(body, asked); });
}

Reply<Done> Node::applyFileStep(FileActionRequest request)
{
    return ask<Done>(*m_impl, encodeRequest(request), decodeDone);
}

Reply<Done> Node::append(AppendRequest request) { return ask<Done>(*m_impl, encodeRequest(request), decodeDone); }

Reply<HashReply> Node::hash(HashRequest request)
{
    const std::size_t spans = request.spans.size();
    return ask<HashReply>(*m_impl, encodeRequest(request),
                          [spans](std::string_view body) { return decodeHash(body, spans); });
}

Reply<std::vector<ProcessInfo>> Node::processes(std::vector<std::string> envNames)
{
    return ask<std::vector<ProcessInfo>>(*m_impl, encodeRequest(ProcessQuery{.envNames = std::move(envNames)}),
                                         decodeProcesses);
}

Reply<ProcessList> Node::findProcesses(ProcessQuery query)
{
    return ask<ProcessList>(*m_impl, encodeRequest(query), decodeProcessList);
}

Reply<SignalReply> Node::signal(SignalRequest request)
{
    return ask<SignalReply>(*m_impl, encodeRequest(request), decodeSignal);
}

Reply<LaunchReply> Node::launch(LaunchRequest request)
{
    return ask<LaunchReply>(*m_impl, encodeRequest(request), decodeLaunch);
}

Reply<LaunchReply> Node::launchStatus(std::string id, std::string runDirectory)
{
    return ask<LaunchReply>(*m_impl, encodeLaunched(id, runDirectory, false), decodeLaunch);
}

Reply<LaunchReply> Node::callOffLaunch(std::string id, std::string runDirectory)
{
    return ask<LaunchReply>(*m_impl, encodeLaunched(id, runDirectory, true), decodeLaunch);
}

Reply<JobHolder> Node::jobHolder(JobClaim job, std::string runDirectory)
{
    return ask<JobHolder>(*m_impl, encodeJobHolder(job, runDirectory), decodeJobHolder);
}

Reply<Done> Node::reserveJob(JobClaim job, std::string runDirectory)
{
    return ask<Done>(*m_impl, encodeReserve(job, runDirectory, true), decodeDone);
}

Reply<Done> Node::releaseJob(JobClaim job, std::string runDirectory)
{
    return ask<Done>(*m_impl, encodeReserve(job, runDirectory, false), decodeDone);
}

Reply<LogoutRule> Node::logoutRule() { return ask<LogoutRule>(*m_impl, encodeLogoutRule(), decodeLogoutRule); }

}  // namespace rankdeck
