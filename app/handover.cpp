// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/handover.h"

#include <QDBusConnectionInterface>
#include <QDBusMessage>
#include <QUrl>

#include <utility>

namespace rankdeck {

namespace {
const QString service = QStringLiteral("io.github.rankdeck.Rankdeck");
const QString object = QStringLiteral("/io/github/rankdeck/Rankdeck");
constexpr int answersWithin = 2000;  // time limit for an answer, ms
}  // namespace

Handover::Handover(QDBusConnection bus, std::function<void(const QString &path)> wanted) : m_wanted(std::move(wanted))
{
    if (!bus.isConnected()) return;
    bus.registerObject(object, this, QDBusConnection::ExportAllSlots);
    bus.registerService(service);
}

bool Handover::isTakenOver(const QDBusConnection &bus, const QString &path)
{
    if (!bus.isConnected() || !bus.interface()->isServiceRegistered(service).value()) return false;
    const QString method = path.isEmpty() ? QStringLiteral("Activate") : QStringLiteral("Open");
    QDBusMessage call =
        QDBusMessage::createMethodCall(service, object, QStringLiteral("org.freedesktop.Application"), method);
    if (!path.isEmpty()) call << QStringList(QUrl::fromLocalFile(path).toString(QUrl::FullyEncoded));
    call << QVariantMap();
    return bus.call(call, QDBus::Block, answersWithin).type() == QDBusMessage::ReplyMessage;
}

void Handover::Activate(const QVariantMap &) { m_wanted({}); }

void Handover::Open(const QStringList &uris, const QVariantMap &)
{
    for (const QString &uri : uris)
        if (const QUrl url(uri); url.isLocalFile()) m_wanted(url.toLocalFile());
}

}  // namespace rankdeck
