<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Core</name>
    <message>
        <source>Step %1: %2, %3</source>
        <translation>Step %1：%2，%3</translation>
    </message>
    <message>
        <source>Set %1: %2, %3</source>
        <translation>整组 %1：%2，%3</translation>
    </message>
    <message>
        <source>%1 of %2 files complete, same step</source>
        <translation>%1/%2 个文件完整，step 一致</translation>
    </message>
    <message>
        <source>1 file has not been read yet</source>
        <translation>1 个文件尚未读取</translation>
    </message>
    <message>
        <source>its files have not been read yet</source>
        <translation>其文件尚未读取</translation>
    </message>
    <message>
        <source>%1 files have not been read yet</source>
        <translation>%1 个文件尚未读取</translation>
    </message>
    <message>
        <source>rank %1 has no file yet</source>
        <translation>rank %1 尚无文件</translation>
    </message>
    <message>
        <source>rank %1 no longer has a file: retention removed it</source>
        <translation>rank %1 的文件已不存在：被轮换删除</translation>
    </message>
    <message>
        <source>rank %1 no longer has a file: all its files are newer</source>
        <translation>rank %1 的文件已不存在：它的文件都更新</translation>
    </message>
    <message>
        <source>rank %1 has no file</source>
        <translation>rank %1 没有文件</translation>
    </message>
    <message>
        <source>rank %1 is still saving: it has only %2, %3 so far</source>
        <translation>rank %1 正在保存：目前只有 %2（%3）</translation>
    </message>
    <message>
        <source>rank %1 has only %2 (%3), left by a save that never finished</source>
        <translation>rank %1 只有 %2（%3），由未完成的保存留下</translation>
    </message>
    <message>
        <source>rank %1 could not be listed: %2</source>
        <translation>rank %1 无法列出：%2</translation>
    </message>
    <message>
        <source>rank %1 could not be read: %2</source>
        <translation>rank %1 无法读取：%2</translation>
    </message>
    <message>
        <source>rank %1 is still being written: %2 so far, mode 0600</source>
        <translation>rank %1 仍在写入：目前 %2，权限 0600</translation>
    </message>
    <message>
        <source>the file of rank %1 is still growing: %2 so far</source>
        <translation>rank %1 仍在增长：目前 %2</translation>
    </message>
    <message>
        <source>rank %1: %2 (%3 bytes, but the other ranks have %4)</source>
        <translation>rank %1：%2（%3 字节，其余为 %4）</translation>
    </message>
    <message>
        <source>rank %1: %2</source>
        <translation>rank %1：%2</translation>
    </message>
    <message>
        <source>NaN in the weights</source>
        <translation>权重中有 NaN</translation>
    </message>
    <message>
        <source>incomplete file</source>
        <translation>文件不完整</translation>
    </message>
    <message>
        <source>cannot tell whether it is complete</source>
        <translation>不知是否完整</translation>
    </message>
    <message>
        <source>%1 is live</source>
        <translation>%1 在线</translation>
    </message>
    <message>
        <source>No contact for 10 s; the values shown are old.</source>
        <translation>已 10 秒没有消息；所示数值为旧值。</translation>
    </message>
    <message>
        <source>No contact for %1.</source>
        <translation>已 %1 没有消息。</translation>
    </message>
    <message>
        <source>its process ended; its log shows no reason</source>
        <translation>其进程已消失，日志中没有任何说明</translation>
    </message>
    <message>
        <source>expected no process of the old attempt, found %1</source>
        <translation>应没有上一次运行的进程，实有：%1</translation>
    </message>
    <message>
        <source>the plan first ends exactly these processes: SIGTERM, then SIGKILL after ten seconds</source>
        <translation>计划先恰好结束这些进程：SIGTERM，十秒后 SIGKILL</translation>
    </message>
    <message>
        <source>the old attempt&apos;s launcher or scheduler is still running: %1</source>
        <translation>上一次运行的启动器或调度器仍在运行：%1</translation>
    </message>
    <message>
        <source>the plan ends it first</source>
        <translation>计划先结束它</translation>
    </message>
    <message>
        <source>a new attempt would truncate the logs of the old one</source>
        <translation>新的运行会清空上一次运行的日志</translation>
    </message>
    <message>
        <source>a graceful exit left %1: OnRequestExit loads it instead of the chosen set, or crashes on its global_step</source>
        <translation>优雅退出留下了 %1：OnRequestExit 会优先加载它而不是所选整组，或因其 global_step 崩溃</translation>
    </message>
    <message>
        <source>the plan backs it up</source>
        <translation>计划将它移开</translation>
    </message>
    <message>
        <source>the plan backs them up</source>
        <translation>计划将它们移开</translation>
    </message>
    <message>
        <source>expected %1 free for the scheduler, found %2</source>
        <translation>%1 应空闲供调度器使用，实为：%2</translation>
    </message>
    <message>
        <source>end that process, or choose a different launch.master_port</source>
        <translation>请结束该进程，或换一个 launch.master_port</translation>
    </message>
    <message>
        <source>%1 is VALID: one readable checkpoint for each of %2 ranks</source>
        <translation>%1 有效：%2 个 rank 各有一个可读的 checkpoint</translation>
    </message>
    <message>
        <source>expected at least one VALID checkpoint set, found none</source>
        <translation>应至少有一个有效整组，一个也没有</translation>
    </message>
    <message>
        <source>repair or copy the missing files, or choose a VALID-UNPROVEN set and allow it</source>
        <translation>请修复或复制缺失的文件，或选用未证实的整组并允许</translation>
    </message>
    <message>
        <source>expected running ranks, found no process of this job</source>
        <translation>应有运行中的 rank，未找到此作业的进程</translation>
    </message>
    <message>
        <source>there is nothing to stop; resume starts the job again</source>
        <translation>没有可停止的；断点续训会重新启动作业</translation>
    </message>
    <message>
        <source>expected all %1 ranks alive, found no process of %2</source>
        <translation>应有全部 %1 个 rank 存活，未找到 %2 的进程</translation>
    </message>
    <message>
        <source>a graceful stop needs every rank to agree, so it would never finish: end the others, then resume from the newest VALID set</source>
        <translation>优雅退出需要所有 rank 同意，因此永远不会发生：请结束其余进程，再从最新有效整组续训</translation>
    </message>
    <message>
        <source>%1 logged no step for more than %2</source>
        <translation>%1 超过 %2 没有写出 step</translation>
    </message>
    <message>
        <source>a rank that hangs never agrees to the stop; check its log, or be ready for a force stop</source>
        <translation>挂起的 rank 不会同意停止；请检查它的日志，或准备强制停止</translation>
    </message>
    <message>
        <source>the stop request is read when the next step begins: a step takes about %1, and the next one ends in about %2</source>
        <translation>下一步开始时读取停止请求：一步约 %1，下一步约 %2 后结束</translation>
    </message>
    <message>
        <source>a graceful stop loses only the step in progress; a kill would lose %1 steps (%2)</source>
        <translation>优雅退出只损失进行中的一步；强制结束将损失 %1 步、%2</translation>
    </message>
    <message>
        <source>expected MS_ENABLE_GRACEFUL_EXIT=1 in the environment of %1, found %2: MindSpore then never reads the config, so the stop would do nothing</source>
        <translation>%1 的环境中应有 MS_ENABLE_GRACEFUL_EXIT=1，实为 %2：MindSpore 因此不会读取配置，点击不起作用</translation>
    </message>
    <message>
        <source>start the job with MS_ENABLE_GRACEFUL_EXIT=1 (launch.env of the job file) next time; for now, wait for a checkpoint and kill the job</source>
        <translation>下次请以 MS_ENABLE_GRACEFUL_EXIT=1 启动作业（作业文件的 launch.env）；现在只能在保存 checkpoint 之后强制结束</translation>
    </message>
    <message>
        <source>GracefulExit is %1 in %2 on node %3: every rank would stop after its first step</source>
        <translation>节点 %3 的 %2 中 GracefulExit 为 %1：每个 rank 都会在第一步之后退出</translation>
    </message>
    <message>
        <source>the plan puts it back to 0</source>
        <translation>计划将它改回 0</translation>
    </message>
    <message>
        <source>%1 refer to the same config as the job file</source>
        <translation>%1 所用的配置与作业文件一致</translation>
    </message>
    <message>
        <source>] without [</source>
        <translation>有 ] 而无 [</translation>
    </message>
    <message>
        <source>[ without ]</source>
        <translation>有 [ 而无 ]</translation>
    </message>
    <message>
        <source>Expected at most %1 hosts; list fewer hosts.</source>
        <translation>最多 %1 台主机；请少指定一些。</translation>
    </message>
    <message>
        <source>Expected a host on each line of the hostfile, found none.</source>
        <translation>hostfile 的每行应为一台主机，但没有一行是。</translation>
    </message>
    <message>
        <source>Expected a rank table with a server_list, found other JSON.</source>
        <translation>应为带 server_list 的 rank table，实为其他 JSON。</translation>
    </message>
    <message>
        <source>Expected servers in the rank table, found an empty server_list.</source>
        <translation>rank table 中应有服务器，但 server_list 为空。</translation>
    </message>
    <message>
        <source>Expected the nodes of the Slurm job %1, squeue said: %2.</source>
        <translation>应得到 Slurm 作业 %1 的节点，squeue 却答：%2。</translation>
    </message>
    <message>
        <source>Expected the nodes of the Slurm job %1, squeue listed none: the job has not started, or has ended.</source>
        <translation>应得到 Slurm 作业 %1 的节点，squeue 一个也没有给出：它尚未开始，或已结束。</translation>
    </message>
    <message>
        <source>no file</source>
        <translation>无文件</translation>
    </message>
    <message>
        <source>not yet</source>
        <translation>尚无</translation>
    </message>
    <message>
        <source>pruned</source>
        <translation>已轮换</translation>
    </message>
    <message>
        <source>saving</source>
        <translation>保存中</translation>
    </message>
    <message>
        <source>only a .tmp file</source>
        <translation>只有 .tmp</translation>
    </message>
    <message>
        <source>not listed</source>
        <translation>未列出</translation>
    </message>
    <message>
        <source>unreachable</source>
        <translation>无法到达</translation>
    </message>
    <message>
        <source>unreadable</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>growing</source>
        <translation>增长中</translation>
    </message>
    <message>
        <source>0 bytes</source>
        <translation>0 字节</translation>
    </message>
    <message>
        <source>not a checkpoint</source>
        <translation>不是 checkpoint</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>损坏</translation>
    </message>
    <message>
        <source>NaN weights</source>
        <translation>权重含 NaN</translation>
    </message>
    <message>
        <source>encrypted</source>
        <translation>已加密</translation>
    </message>
    <message>
        <source>%1 short</source>
        <translation>缺 %1</translation>
    </message>
    <message>
        <source>different tensors</source>
        <translation>张量不同</translation>
    </message>
    <message>
        <source>different values</source>
        <translation>数值不同</translation>
    </message>
    <message>
        <source>from another run</source>
        <translation>属于另一次运行</translation>
    </message>
    <message>
        <source>%1: expected JSON, found a syntax error %2</source>
        <translation>%1：应为 JSON，但有语法错误 %2</translation>
    </message>
    <message>
        <source>%1: expected %2, found %3</source>
        <translation>%1：应为 %2，实为 %3</translation>
    </message>
    <message>
        <source> (it contains step %1)</source>
        <translation>（其中为 step %1）</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1 The run is still training: stop it before it overwrites anything%2.</source>
        <translation>%1 它仍在训练：请在它覆盖任何文件之前停止它%2。</translation>
    </message>
    <message>
        <source>%1 Its commands have ended.</source>
        <translation>%1 它的命令已结束。</translation>
    </message>
    <message>
        <source>%1 and others</source>
        <translation>%1 等</translation>
    </message>
    <message>
        <source>%1 at epoch %2</source>
        <translation>%1，epoch %2</translation>
    </message>
    <message>
        <source>%1 at epoch %2, step %3</source>
        <translation>%1，epoch %2，step %3</translation>
    </message>
    <message>
        <source>%1 at step %2</source>
        <translation>%1，step %2</translation>
    </message>
    <message>
        <source>%1 is still growing: %2 so far</source>
        <translation>%1 仍在增长：目前 %2</translation>
    </message>
    <message>
        <source>%1 is dated in the future (%2): the node clock is wrong, or the file is a copy</source>
        <translation>%1 的时间在未来（%2）：节点时钟不准，或为复制的文件</translation>
    </message>
    <message>
        <source>%1 is %2: %3</source>
        <translation>%1 为%2：%3</translation>
    </message>
    <message>
        <source>%1 is being saved, %2 so far</source>
        <translation>%1 正在保存，目前 %2</translation>
    </message>
    <message>
        <source>%1 is free</source>
        <translation>%1 空闲</translation>
    </message>
    <message>
        <source>%1 is lost</source>
        <translation>%1 已失联</translation>
    </message>
    <message>
        <source>%1 is refused</source>
        <translation>%1 被拒绝</translation>
    </message>
    <message>
        <source>%1 is stale</source>
        <translation>%1 已静默</translation>
    </message>
    <message>
        <source>%1 is unsupported</source>
        <translation>%1 不受支持</translation>
    </message>
    <message>
        <source>%1 not listed since %2</source>
        <translation>%1 自 %2 起未列出</translation>
    </message>
    <message>
        <source>%1 on node %2%4 is loaded by %3 instead of %5, no matter which path the framework is given</source>
        <translation>无论得到哪个路径，%3 都会加载节点 %2 上的 %1%4，而不是%5</translation>
    </message>
    <message>
        <source>%1 was left by a save that never finished</source>
        <translation>%1 由未完成的保存留下</translation>
    </message>
    <message>
        <source>%1 was saved by a graceful exit; since MindSpore 2.4.10 its global_step is a scalar, which the optimizer may refuse%2</source>
        <translation>%1由优雅退出保存；自 MindSpore 2.4.10 起其 global_step 为标量，优化器可能拒绝%2</translation>
    </message>
    <message>
        <source>%1 was written by Python %2 or newer and contains paths; node %3 would load it with Python %4</source>
        <translation>%1由 Python %2 或更新版本写出并含有路径；节点 %3 会用 Python %4 加载</translation>
    </message>
    <message>
        <source>%1, working in %2</source>
        <translation>%1，工作目录 %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1；%2</translation>
    </message>
    <message>
        <source>%1; if the record will be there when the script starts, %2</source>
        <translation>%1；如果脚本启动时该记录会存在，%2</translation>
    </message>
    <message>
        <source>%1; not corrected: %2</source>
        <translation>%1；未更正：%2</translation>
    </message>
    <message>
        <source>%1; the newest, %2, is %3: %4</source>
        <translation>%1；最新的%2为%3：%4</translation>
    </message>
    <message>
        <source>%1; then allow this set %2, or choose a VALID set</source>
        <translation>%1；然后允许使用%2，或选用有效整组</translation>
    </message>
    <message>
        <source>; it cannot be corrected: %1</source>
        <translation>；无法更正：%1</translation>
    </message>
    <message>
        <source>; or choose the periodic set of the same step, %1, and put {checkpoint} into launch.command</source>
        <translation>；或选用同一 step 的周期整组 %1，并在 launch.command 中写入 {checkpoint}</translation>
    </message>
    <message>
        <source>CORRUPT</source>
        <translation>损坏</translation>
    </message>
    <message>
        <source>Expected a server_id in each server of the rank table, found none in server %1.</source>
        <translation>rank table 的每台服务器都应有 server_id，第 %1 台没有。</translation>
    </message>
    <message>
        <source>Expected hosts like ascend-[01-64], found &quot;%1&quot;: %2.</source>
        <translation>应为 ascend-[01-64] 这样的主机，实为“%1”：%2。</translation>
    </message>
    <message>
        <source>IN-PROGRESS</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>INCOMPLETE</source>
        <translation>不完整</translation>
    </message>
    <message>
        <source>INCONSISTENT</source>
        <translation>不一致</translation>
    </message>
    <message>
        <source>Set %1 is not kept%2.</source>
        <translation>整组 %1 未被保留%2。</translation>
    </message>
    <message>
        <source>The host key of %1 (%2) is unknown: %3. Compare it with the key that the administrator gives you, then connect once with &quot;%4&quot;%5.</source>
        <translation>%1（%2）的主机密钥未知：%3。请与管理员提供的密钥核对，然后用“%4”连接一次%5。</translation>
    </message>
    <message>
        <source>The host key of %1 is not yet known to ssh. Compare it with the key that the administrator gives you, then connect once with &quot;ssh %1&quot;%2.</source>
        <translation>ssh 尚不认识 %1 的主机密钥。请与管理员提供的密钥核对，然后用“ssh %1”连接一次%2。</translation>
    </message>
    <message>
        <source>There is no set %1; %2 the sets.</source>
        <translation>没有整组 %1；%2整组。</translation>
    </message>
    <message>
        <source>UNKNOWN</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>VALID</source>
        <translation>有效</translation>
    </message>
    <message>
        <source>VALID-UNPROVEN</source>
        <translation>有效（未证实）</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a range of numbers</source>
        <translation>“%1”不是数字范围</translation>
    </message>
    <message>
        <source>a listener whose process this login cannot inspect</source>
        <translation>一个监听者，此登录无法查看其进程</translation>
    </message>
    <message>
        <source>a listener whose process was not found in time</source>
        <translation>一个监听者，未能及时找到其进程</translation>
    </message>
    <message>
        <source>a number in its path takes the value of each rank in every save</source>
        <translation>其路径中的一个数字在每次保存中遍历各 rank</translation>
    </message>
    <message>
        <source>a plan is moving its files</source>
        <translation>某个计划正在移动其文件</translation>
    </message>
    <message>
        <source>change that setting, or let the scheduler start the run; if this console stays open until the end, %1</source>
        <translation>请更改该设置，或由调度器启动运行；如果此控制台会一直打开到结束，%1</translation>
    </message>
    <message>
        <source>check there as that user, or as root; if you are sure that none is running, %1</source>
        <translation>请以该用户或 root 身份在那里检查；如果确定没有在运行，%1</translation>
    </message>
    <message>
        <source>check there; if you are sure that none is running, %1</source>
        <translation>请在那里检查；如果确定没有在运行，%1</translation>
    </message>
    <message>
        <source>check there; if you are sure that none of its processes is running, %1</source>
        <translation>请在那里检查；如果确定其进程均未运行，%1</translation>
    </message>
    <message>
        <source>choose a different set</source>
        <translation>请选用另一整组</translation>
    </message>
    <message>
        <source>choose a different set; a resume needs a VALID one</source>
        <translation>请选用另一整组；续训需要有效整组</translation>
    </message>
    <message>
        <source>choose a set with a file for every rank, or an emergency checkpoint</source>
        <translation>请选用每个 rank 都有文件的整组，或临终 CKPT</translation>
    </message>
    <message>
        <source>correct world_size and ranks in the job file, or convert the checkpoints first</source>
        <translation>请更正作业文件中的 world_size 和 ranks，或先转换 checkpoint</translation>
    </message>
    <message>
        <source>end it by hand if it belongs to this job; if it belongs to another job, %1</source>
        <translation>如果它属于此作业，请手动结束它；如果属于另一作业，%1</translation>
    </message>
    <message>
        <source>epoch %1 and step %2 in its name</source>
        <translation>文件名中有 epoch %1 和 step %2</translation>
    </message>
    <message>
        <source>epoch %1 in its path</source>
        <translation>路径中有 epoch %1</translation>
    </message>
    <message>
        <source>exit code %1</source>
        <translation>退出码 %1</translation>
    </message>
    <message>
        <source>expected a VALID set, but %1</source>
        <translation>应为有效整组，但%1</translation>
    </message>
    <message>
        <source>expected a launch with %1 %2, as when %3 was saved, found %4; %5</source>
        <translation>启动的 %1 应为 %2（与%3保存时相同），实为 %4；%5</translation>
    </message>
    <message>
        <source>expected no process of the old attempt, found %1 alive</source>
        <translation>应没有上一次运行的进程，实有 %1 存活</translation>
    </message>
    <message>
        <source>expected no process of the old attempt, found %1 alive; its process is unknown</source>
        <translation>应没有上一次运行的进程，实有 %1 存活；其进程未知</translation>
    </message>
    <message>
        <source>expected one checkpoint for each of %1 ranks, found %2 in %3</source>
        <translation>应为 %1 个 rank 各有一个 checkpoint，%3中有 %2 个</translation>
    </message>
    <message>
        <source>the newest set must be known before a resume, but %1 is %2: %3</source>
        <translation>续训之前须已知最新整组，而%1为%2：%3</translation>
    </message>
    <message>
        <source>file missing</source>
        <translation>缺文件</translation>
    </message>
    <message>
        <source>for this set, only the number of data-parallel ranks may change</source>
        <translation>对此整组，只能改变数据并行的 rank 数</translation>
    </message>
    <message>
        <source>give the script a directory: {checkpoint_dir} instead of {checkpoint}; if the script can load the prefix, %1</source>
        <translation>请给脚本一个目录：用 {checkpoint_dir} 代替 {checkpoint}；如果它能加载该前缀，%1</translation>
    </message>
    <message>
        <source>global_step is a single Int64 in these files; MindSpore refuses to load them into a network with its optimizer unless the script drops that key. The periodic checkpoint of the same step does not have it</source>
        <translation>这些文件中的 global_step 是单个 Int64；除非脚本去掉该键，MindSpore 拒绝将其加载到带优化器的网络。同一 step 的周期 checkpoint 没有它</translation>
    </message>
    <message>
        <source>gradient norm is %1</source>
        <translation>梯度范数为 %1</translation>
    </message>
    <message>
        <source>incomplete</source>
        <translation>不完整</translation>
    </message>
    <message>
        <source>it unset</source>
        <translation>未设置</translation>
    </message>
    <message>
        <source>its content has %1 %2</source>
        <translation>其内容计为 %1 %2</translation>
    </message>
    <message>
        <source>its content names rank %1</source>
        <translation>其内容为 rank %1</translation>
    </message>
    <message>
        <source>let the plan back it up, or resume from that checkpoint</source>
        <translation>请由计划将它备份，或从该 checkpoint 续训</translation>
    </message>
    <message>
        <source>let the plan end it (SIGINT to msrun ends its children too): it keeps the port in use and may restart ranks</source>
        <translation>请由计划结束它（对 msrun 发 SIGINT 会同时结束其子进程）：它占用端口，并可能重启 rank</translation>
    </message>
    <message>
        <source>let this login list that directory; if it is empty, %1</source>
        <translation>请允许此登录列出该目录；如果它是空的，%1</translation>
    </message>
    <message>
        <source>load it with Python %1 or newer</source>
        <translation>请用 Python %1 或更新版本加载</translation>
    </message>
    <message>
        <source>loss is %1</source>
        <translation>loss 为 %1</translation>
    </message>
    <message>
        <source>mismatch</source>
        <translation>不一致</translation>
    </message>
    <message>
        <source>never finished</source>
        <translation>未完成</translation>
    </message>
    <message>
        <source>unknown reason</source>
        <translation>原因未知</translation>
    </message>
    <message>
        <source>no step found; ordered by time only</source>
        <translation>未找到 step；仅按时间排序</translation>
    </message>
    <message>
        <source>not committed</source>
        <translation>未提交</translation>
    </message>
    <message>
        <source>nothing names a different rank</source>
        <translation>没有任何内容指明其他 rank</translation>
    </message>
    <message>
        <source>one checkpoint for all ranks</source>
        <translation>所有 rank 共用一个 checkpoint</translation>
    </message>
    <message>
        <source>port %1 on node %2</source>
        <translation>节点 %2 的端口 %1</translation>
    </message>
    <message>
        <source>prove it first by loading it%1 (takes about %2 s)</source>
        <translation>请先通过加载来证实它%1，约 %2 秒</translation>
    </message>
    <message>
        <source>put {checkpoint} into launch.command where the script expects the file to load. Or set the configuration file that it reads (launch.config) or its kind (launch.script). If you know that it loads the set, %1%2</source>
        <translation>请在 launch.command 中脚本需要加载文件的位置写入 {checkpoint}；或设置它读取的配置文件（launch.config）或其类型（launch.script）；如果确定它会加载该整组，%1%2</translation>
    </message>
    <message>
        <source>use {checkpoint} there; if the script can load a directory, %1</source>
        <translation>请在那里写入 {checkpoint}；如果它能加载目录，%1</translation>
    </message>
    <message>
        <source>the file of rank %1 is dated in the future (%2): the node clock is wrong, or the file is a copy</source>
        <translation>rank %1 的时间在未来（%2）：节点时钟不准，或为复制的文件</translation>
    </message>
    <message>
        <source>rank %1 has no file in %2</source>
        <translation>rank %1 在%2中没有文件</translation>
    </message>
    <message>
        <source>rank %1 in its name</source>
        <translation>文件名中有 rank %1</translation>
    </message>
    <message>
        <source>rank %1 in its path</source>
        <translation>路径中有 rank %1</translation>
    </message>
    <message>
        <source>rank %1 is unknown: %2</source>
        <translation>rank %1 未知：%2</translation>
    </message>
    <message>
        <source>set %1</source>
        <translation>整组 %1</translation>
    </message>
    <message>
        <source>set %1, the periodic set of the same step, is used instead of %2</source>
        <translation>改用同一 step 的周期整组 %1，而不是%2</translation>
    </message>
    <message>
        <source>set launch.script to tensorflow, and launch.config to the file with restore_path; if that path already leads every rank to the set, %1</source>
        <translation>请将 launch.script 设为 tensorflow，并将 launch.config 设为含 restore_path 的文件；如果该路径已使每个 rank 加载该整组，%1</translation>
    </message>
    <message>
        <source>step %1 in its path</source>
        <translation>路径中有 step %1</translation>
    </message>
    <message>
        <source>stop that attempt first%1, or watch it</source>
        <translation>请先停止那次运行%1，或观察它</translation>
    </message>
    <message>
        <source>stop the run first%1</source>
        <translation>请先停止该运行%1</translation>
    </message>
    <message>
        <source>stop the run first%1, or let the plan end exactly these processes; two attempts would write the same files</source>
        <translation>请先停止该运行%1，或由计划恰好结束这些进程；两次运行会写同样的文件</translation>
    </message>
    <message>
        <source>stop the run first%1, or wait until nothing has grown for %2; if you are sure that none is running, %3</source>
        <translation>请先停止该运行%1，或等到 %2 内没有任何文件增长；如果确定没有在运行，%3</translation>
    </message>
    <message>
        <source>the Pangu script loads only a rank&apos;s own periodic checkpoints, and rank %1 has none in %2</source>
        <translation>Pangu 脚本只加载 rank 自己的周期 checkpoint，而 rank %1 在%2中没有</translation>
    </message>
    <message>
        <source>the ranks answer only after that time; wait%1</source>
        <translation>各 rank 要过这么久才应答；请等待%1</translation>
    </message>
    <message>
        <source>the exit saves about %1 on node %2%3, and %4 is free there</source>
        <translation>退出约在节点 %2 上保存 %1%3，有 %4 空闲</translation>
    </message>
    <message>
        <source>the job file maps it to rank %1</source>
        <translation>作业文件将它对应到 rank %1</translation>
    </message>
    <message>
        <source>the number %1 in its path grows from save to save</source>
        <translation>其路径中的数字 %1 逐次保存增大</translation>
    </message>
    <message>
        <source>the others saved %1 to %2</source>
        <translation>其余在 %1 至 %2 保存</translation>
    </message>
    <message>
        <source>the others saved at %1</source>
        <translation>其余在 %1 保存</translation>
    </message>
    <message>
        <source>the plan backs them up as attempt-%1</source>
        <translation>计划将它们移开，名为 attempt-%1</translation>
    </message>
    <message>
        <source>the plan can give each rank a copy with both tags at 0%1</source>
        <translation>计划可为每个 rank 提供两个标志均为 0 的副本%1</translation>
    </message>
    <message>
        <source>the plan ends that process first; it belongs to this job</source>
        <translation>计划先结束该进程；它属于此作业</translation>
    </message>
    <message>
        <source>the script loads the newest file in its own directory, emergency checkpoints first; %1 and others come before the chosen file (%2)</source>
        <translation>脚本会取自己目录中最新的文件，临终 CKPT 优先，而 %1 等在所选整组之前（%2）</translation>
    </message>
    <message>
        <source>the script loads the newest file in its own directory, emergency checkpoints first; %1 comes before the chosen file (%2)</source>
        <translation>脚本会取自己目录中最新的文件，临终 CKPT 优先，而 %1 在所选整组之前（%2）</translation>
    </message>
    <message>
        <source>this set cannot be loaded with a different layout</source>
        <translation>此整组不能以不同布局加载</translation>
    </message>
    <message>
        <source>try again when it has been read</source>
        <translation>请在读取之后重试</translation>
    </message>
    <message>
        <source>try again when it has been read, or choose the older set %1</source>
        <translation>请在读取之后重试，或选用较旧的整组：%1</translation>
    </message>
    <message>
        <source>unknown key, ignored</source>
        <translation>未知的键，已忽略</translation>
    </message>
    <message>
        <source>unknown key, ignored; did you mean &quot;%1&quot;?</source>
        <translation>未知的键，已忽略；是否想写“%1”？</translation>
    </message>
    <message>
        <source>wait until it is live%1; all ranks must read the stop request before any of them stops</source>
        <translation>请等到它在线%1；所有 rank 都须读取停止请求后才会有 rank 停止</translation>
    </message>
    <message>
        <source>watch it there, or %1</source>
        <translation>请在那里观察，或%1</translation>
    </message>
    <message>
        <source>a loss line appears every %1 steps: if that many run in one sink, the stop request is read every %2, next in about %3</source>
        <translation>每 %1 步有一行 loss：如果这些步在一次下沉中运行，则每 %2 读取一次停止请求，下次约在 %3 后</translation>
    </message>
    <message>
        <source>expected groups of %1 ranks with the same parameters, as when %2 was saved, found %3; this set cannot be loaded with a different layout</source>
        <translation>启动方式应与保存%2时相同，即每 %1 个 rank 参数相同，实为 %3；此整组不能以不同布局加载</translation>
    </message>
    <message>
        <source>the script expects the files of an emergency checkpoint to have one size, found %1 sizes in %2: it would silently load periodic checkpoints</source>
        <translation>脚本仅在所有文件大小相同时才加载临终 CKPT，而%2中有 %1 种大小：它会无提示地改用周期 checkpoint</translation>
    </message>
    <message>
        <source>you have allowed this set: %1, or watch the first losses</source>
        <translation>您已允许使用：%1，或观察最初的 loss</translation>
    </message>
    <message>
        <source> and others</source>
        <translation> 等</translation>
    </message>
    <message>
        <source> steps since the newest VALID set are lost</source>
        <translation> 步将丢失（自最新有效整组起）</translation>
    </message>
    <message>
        <source> steps since the newest kept set are lost</source>
        <translation> 步将丢失（自最新保留整组起）</translation>
    </message>
    <message>
        <source>%1 %2%3</source>
        <translation>%1 %2%3</translation>
    </message>
    <message>
        <source>%1 any longer: its ranks ended with it, unless it was deleted by force from a machine that does not answer</source>
        <translation>%1：它的 rank 已随之结束，除非它是从一台没有应答的机器上被强制删除的</translation>
    </message>
    <message>
        <source>%1 belongs to user %2, but the new attempt runs as %3</source>
        <translation>%1 属于用户 %2，新的运行以 %3 的身份运行</translation>
    </message>
    <message>
        <source>%1 has a handler for SIG%2</source>
        <translation>%1 有 SIG%2 的处理函数</translation>
    </message>
    <message>
        <source>%1 has no handler for SIGTERM: it would end at once, in the middle of a step or a save, as with SIGKILL</source>
        <translation>%1 没有 SIGTERM 的处理函数：它会像收到 SIGKILL 一样，在一步或一次保存中途立即结束</translation>
    </message>
    <message>
        <source>%1 ignores SIG%2: the signal would do nothing</source>
        <translation>%1 忽略 SIG%2：信号不起作用</translation>
    </message>
    <message>
        <source>%1 in launch.command starts all ranks of its node, but the recipe %2 would start it once for each of the %3 ranks</source>
        <translation>launch.command 中的 %1 会启动其节点的所有 rank，而启动方式 %2 会为 %3 个 rank 各启动一次</translation>
    </message>
    <message>
        <source>%1 is kept beside the checkpoints, but the checkpoint directory has no VALID copy of it</source>
        <translation>%1保留在 checkpoint 旁边，但在其中不是有效整组</translation>
    </message>
    <message>
        <source>%1 is running on node %2, but was not in the list of processes to end</source>
        <translation>%1 在节点 %2 上运行，且不在要结束的进程列表中</translation>
    </message>
    <message>
        <source>%1 is the same file as on node %2: it is written only once</source>
        <translation>%1 与节点 %2 上的是同一文件：只写一次</translation>
    </message>
    <message>
        <source>%1 now, but vcjob %2 is %3 and may create the pod again</source>
        <translation>现在%1，vcjob %2 为 %3：它可能重新创建</translation>
    </message>
    <message>
        <source>%1 on node %2 grew %3 ago%4, and some ranks may still be running</source>
        <translation>节点 %2 上的 %1 在 %3 前还在增长%4，可能仍有 rank 在运行</translation>
    </message>
    <message>
        <source>%1 ranks of the job ran there</source>
        <translation>此作业有 %1 个 rank 曾在那里运行</translation>
    </message>
    <message>
        <source>%1 run MindFormers, and the newest checkpoint shows that use_graceful_exit is on</source>
        <translation>%1 运行 MindFormers，最新的 checkpoint 表明 use_graceful_exit 已开启</translation>
    </message>
    <message>
        <source>%1 run MindFormers, which sets MS_ENABLE_GRACEFUL_EXIT from its yaml: cannot tell from outside whether use_graceful_exit is True there</source>
        <translation>%1 运行 MindFormers，它根据自己的 yaml 设置 MS_ENABLE_GRACEFUL_EXIT：从外部无法得知那里的 use_graceful_exit 是否为 True</translation>
    </message>
    <message>
        <source>%1 sets keep_checkpoint_max=1: MindSpore removes the only periodic checkpoint before it writes the next, so a failed save leaves none</source>
        <translation>%1 设置了 keep_checkpoint_max=1：MindSpore 在写下一个之前删除唯一的周期 checkpoint，一次失败的保存就会一个不剩</translation>
    </message>
    <message>
        <source>%1 had %2 when it was judged, but now has %3</source>
        <translation>%1 判定时有 %2，现在有 %3</translation>
    </message>
    <message>
        <source>%1, but no file of the chosen set exists there on node %2</source>
        <translation>%1，而节点 %2 上没有所选整组的文件</translation>
    </message>
    <message>
        <source>%1, and the content of %2 on node %3 is unknown: %4</source>
        <translation>%1，而节点 %3 上 %2 的内容未知：%4</translation>
    </message>
    <message>
        <source>%1, and the next step ends in about %2</source>
        <translation>%1，下一步约 %2 后结束</translation>
    </message>
    <message>
        <source>%1, and the step time is unknown</source>
        <translation>%1，一步的时间未知</translation>
    </message>
    <message>
        <source>%1 has no effect: MindX DL does not know the value, or no longer supports it (elastic-scheduling, minReplicas)</source>
        <translation>%1：不起作用；MindX DL 不认识该值，或不再支持（elastic-scheduling、minReplicas）</translation>
    </message>
    <message>
        <source>%1: the script would silently load periodic checkpoints</source>
        <translation>%1：它会无提示地加载周期 checkpoint</translation>
    </message>
    <message>
        <source>%1; %2 is free there</source>
        <translation>%1；那里有 %2 空闲</translation>
    </message>
    <message>
        <source>%1; %2, and every rank needs a healthy device</source>
        <translation>%1；%2，每个 rank 都需要健康的设备</translation>
    </message>
    <message>
        <source>%1; free space there is unknown</source>
        <translation>%1；那里的空闲空间未知</translation>
    </message>
    <message>
        <source>%1; or %2</source>
        <translation>%1；或%2</translation>
    </message>
    <message>
        <source>%1; the training runs as a different user, which may be allowed to</source>
        <translation>%1；训练以另一用户运行，该用户也许可以</translation>
    </message>
    <message>
        <source>, and %1%2</source>
        <translation>，且 %1%2</translation>
    </message>
    <message>
        <source>, since %1</source>
        <translation>，自 %1 起</translation>
    </message>
    <message>
        <source>, so %1 more saves fit</source>
        <translation>，还可保存 %1 次</translation>
    </message>
    <message>
        <source>, so the next save would already be torn</source>
        <translation>，下一次保存就会不完整</translation>
    </message>
    <message>
        <source>--resume=true does not say which file to load, and the script does not search the folders of its working directory for it (glob)</source>
        <translation>--resume=true 没有指明要加载的文件，脚本也不在其工作目录的文件夹中查找它（glob）</translation>
    </message>
    <message>
        <source>1 rank of the job ran there</source>
        <translation>此作业有 1 个 rank 曾在那里运行</translation>
    </message>
    <message>
        <source>; the file is on node %1</source>
        <translation>；该文件在节点 %1 上</translation>
    </message>
    <message>
        <source>FaultFlushing is true</source>
        <translation>FaultFlushing 为 true</translation>
    </message>
    <message>
        <source>GracefulExit is already %1 in</source>
        <translation>GracefulExit 已为 %1：</translation>
    </message>
    <message>
        <source>GracefulExit is already %1 in %2, which was last written at %3</source>
        <translation>%2 中的 GracefulExit 已为 %1，最后写入于 %3</translation>
    </message>
    <message>
        <source>MS_ENABLE_TFT is &quot;%1&quot;: MindSpore looks for &quot;TTP:1&quot; without blanks, so the ranks are not protected</source>
        <translation>MS_ENABLE_TFT 为“%1”：MindSpore 查找不带空格的“TTP:1”，因此 rank 不受保护</translation>
    </message>
    <message>
        <source>MS_ENABLE_TFT requests %1, and the interpreter on node %2 has no mindio_ttp in %3: MindSpore would fail when it imports the module</source>
        <translation>MS_ENABLE_TFT 请求 %1，而节点 %2 的解释器在 %3 中没有 mindio_ttp：MindSpore 导入该模块时会失败</translation>
    </message>
    <message>
        <source>MS_ENABLE_TFT requests %1, and the script has a sink_size above 1, which its fault tolerance does not support</source>
        <translation>MS_ENABLE_TFT 请求 %1，而脚本的 sink_size 大于 1，其容错不支持</translation>
    </message>
    <message>
        <source>MS_ENABLE_TFT requests %1, and the script sets jit_level O2, with which MindSpore refuses to train</source>
        <translation>MS_ENABLE_TFT 请求 %1，而脚本设置了 jit_level O2，MindSpore 会拒绝训练</translation>
    </message>
    <message>
        <source>MS_ENABLE_TFT requests %1, and the script wraps no optimizer (OptTFTWrapper): MindIO cannot see the weights change, so its ranks are not protected</source>
        <translation>MS_ENABLE_TFT 请求 %1，而脚本没有包装优化器（OptTFTWrapper）：MindIO 看不到权重的变化，因此其 rank 不受保护</translation>
    </message>
    <message>
        <source>MS_ENABLE_TFT requests %1, which works only in graph mode, but the script runs in PyNative mode: its ranks are not protected</source>
        <translation>MS_ENABLE_TFT 请求 %1，它只在图模式下有效，而脚本以 PyNative 模式运行：其 rank 不受保护</translation>
    </message>
    <message>
        <source>MindIO&apos;s controller watches %1 (MS_ENABLE_TFT is %2): it may treat their end as a fault, and save an emergency checkpoint or restart them</source>
        <translation>MindIO 的控制器在监视 %1（MS_ENABLE_TFT 为 %2）：它可能把它们的结束当作故障，从而保存临终 CKPT 或重启它们</translation>
    </message>
    <message>
        <source>MindSpore 2.4 and later ignores SIGTERM in %1 when OnRequestExit is installed and MS_ENABLE_GRACEFUL_EXIT is not 1</source>
        <translation>自 2.4 起，如果安装了 OnRequestExit 且 MS_ENABLE_GRACEFUL_EXIT 不为 1，MindSpore 会吞掉 %1 的 SIGTERM</translation>
    </message>
    <message>
        <source>MindSpore needs the IP address of its scheduler, found the name %1</source>
        <translation>MindSpore 需要其调度器的 IP 地址，实为名称 %1</translation>
    </message>
    <message>
        <source>MindX DL is handling a fault of this job (%1): its next write may set GracefulExit back to 0</source>
        <translation>MindX DL 正在处理此作业的故障（%1）：它下一次写入可能把 GracefulExit 改回 0</translation>
    </message>
    <message>
        <source>MindX DL will restart pods or processes of this job (%1) with the set that is chosen now</source>
        <translation>MindX DL 会重启其 pod 或进程（%1），并使用现在所选的整组</translation>
    </message>
    <message>
        <source>Python itself handles SIGINT, as KeyboardInterrupt: having a handler does not mean that the script saves</source>
        <translation>SIGINT 由 Python 自己处理（KeyboardInterrupt）：有处理函数并不表示脚本会保存</translation>
    </message>
    <message>
        <source>RankList names ranks</source>
        <translation>RankList 列出了 rank</translation>
    </message>
    <message>
        <source>SIGKILL ends %1 at once, in the middle of a step or a save</source>
        <translation>SIGKILL 会在一步或一次保存中途立即结束 %1</translation>
    </message>
    <message>
        <source>SIGTERM makes %1 save again, without epoch and step in the file, and overwrite the better save</source>
        <translation>SIGTERM 会使 %1 再次保存，文件中没有 epoch 和 step，并覆盖更好的那个</translation>
    </message>
    <message>
        <source>Volcano will restart this job (%1; maxRetry %2), every time with the set that is chosen now</source>
        <translation>Volcano 会重启它（%1；maxRetry %2），每次都使用现在所选的整组</translation>
    </message>
    <message>
        <source>&quot;graceExit&quot; saves first; the script must save an emergency checkpoint</source>
        <translation>“graceExit”会先保存；脚本须保存临终 CKPT</translation>
    </message>
    <message>
        <source>&quot;grace&quot; deletes the pods with their grace period</source>
        <translation>“grace”会按宽限期删除 pod</translation>
    </message>
    <message>
        <source>&quot;grace&quot; gives the pods time to save an emergency checkpoint</source>
        <translation>“grace”会给它们留出保存临终 CKPT 的时间</translation>
    </message>
    <message>
        <source>a kill would lose everything; a graceful stop saves first</source>
        <translation>强制结束会损失一切；优雅退出会保存</translation>
    </message>
    <message>
        <source>a launch needs all nodes: bring this one back, or remove it from the job file</source>
        <translation>启动需要所有节点：请恢复此节点，或将其从作业文件中移除</translation>
    </message>
    <message>
        <source>a launch on a machine with an unhealthy device waits or fails: check the machines first, or ask for permission to read their state (docs/kubernetes.md)</source>
        <translation>在有不健康设备的机器上启动会等待或失败：请先检查机器，或申请读取其状态的权限（docs/kubernetes.md）</translation>
    </message>
    <message>
        <source>a launch that requests all devices on that machine waits or fails: repair the machine, or give the job a different one</source>
        <translation>请求该机器所有设备的启动会等待或失败：请修复机器，或为作业换一台</translation>
    </message>
    <message>
        <source>a launch waits until the machine accepts jobs again or a different one is free: open the machine, or give the job a different one</source>
        <translation>启动会等到该机器再次接受作业或有另一台空闲：请开放该机器，或为作业换一台</translation>
    </message>
    <message>
        <source>a request that no rank reads would stop the next start: find the ranks with status, or with ps on their nodes</source>
        <translation>没有 rank 读取的请求会停止下一次启动：请用 status 或在其节点上用 ps 查找这些 rank</translation>
    </message>
    <message>
        <source>a script that loads the tags graceful_exit and graceful_init into its train cell should drop them: %1</source>
        <translation>会加载标志 graceful_exit 和 graceful_init 的脚本应去掉它们：%1</translation>
    </message>
    <message>
        <source>a script that loads the tags graceful_exit and graceful_init should drop them, or a later stop may end the ranks at different steps</source>
        <translation>会加载标志 graceful_exit 和 graceful_init 的脚本应去掉它们，否则以后的停止可能使各 rank 停在不同的 step</translation>
    </message>
    <message>
        <source>a sharded optimizer (optimizer_shard, enable_parallel_optimizer), in which every rank has its own part</source>
        <translation>分片优化器（optimizer_shard、enable_parallel_optimizer），其中每个 rank 各有一部分</translation>
    </message>
    <message>
        <source>a stop would lose everything</source>
        <translation>停止会损失一切</translation>
    </message>
    <message>
        <source>add &quot;/dev/shm&quot;: &quot;memory://16Gi&quot; to launch.volcano.mounts, or an emptyDir of medium Memory to the YAML</source>
        <translation>请在 launch.volcano.mounts 中加入 &quot;/dev/shm&quot;（值为 &quot;memory://16Gi&quot;），或在 YAML 中加入 medium 为 Memory 的 emptyDir</translation>
    </message>
    <message>
        <source>add &quot;ranks&quot; to the nodes in the job file</source>
        <translation>请在作业文件的节点中加入 &quot;ranks&quot;</translation>
    </message>
    <message>
        <source>add it to launch.env of the job file</source>
        <translation>请将它加入作业文件的 launch.env</translation>
    </message>
    <message>
        <source>add launch.command to the job file, with {checkpoint} in place of the file to load</source>
        <translation>请在作业文件中加入 launch.command，并在指明要加载的文件处写入 {checkpoint}</translation>
    </message>
    <message>
        <source>add logs.path to the job file</source>
        <translation>请在作业文件中加入 logs.path</translation>
    </message>
    <message>
        <source>add a mount to launch.volcano.mounts, under the same path as on the nodes</source>
        <translation>请在 launch.volcano.mounts 中加入一个，路径与节点上相同</translation>
    </message>
    <message>
        <source>after a fault, check which set was loaded, or remove the setting</source>
        <translation>故障之后请检查加载了哪个整组，或去掉该设置</translation>
    </message>
    <message>
        <source>afterwards, check that no process has come back, and which set is the newest; a t*p_saved_checkpoints folder from this minute was made by the controller</source>
        <translation>之后请检查没有进程回来，以及哪个整组最新；此刻出现的 t*p_saved_checkpoints 文件夹由控制器创建</translation>
    </message>
    <message>
        <source>all pods of a task are identical: expected %1 ranks on node %2, found %3</source>
        <translation>一个 task 中的 pod 都相同：节点 %2 上应有 %1 个 rank，实为 %3 个</translation>
    </message>
    <message>
        <source>all work since the newest VALID set is lost on these ranks</source>
        <translation>这些 rank 自最新有效整组起的工作将全部丢失</translation>
    </message>
    <message>
        <source>all work since the newest VALID set is lost, and a save in progress is torn</source>
        <translation>自最新有效整组起的工作将全部丢失，进行中的保存会不完整</translation>
    </message>
    <message>
        <source>an earlier exit left %1%2 (%3)</source>
        <translation>之前的一次退出留下了 %1%2（%3）</translation>
    </message>
    <message>
        <source>another attempt of this job was started: %1, on node %2</source>
        <translation>此作业的另一次运行已启动：%1，在节点 %2</translation>
    </message>
    <message>
        <source>another console is resuming this job: %1%2, on node %3</source>
        <translation>另一控制台正在续训此作业：%1%2，在节点 %3</translation>
    </message>
    <message>
        <source>another console of %1 is already stopping this job: %2</source>
        <translation>%1 的另一控制台已在停止此作业：%2</translation>
    </message>
    <message>
        <source>another console of %1 is resuming this job: %2</source>
        <translation>%1 的另一控制台正在续训此作业：%2</translation>
    </message>
    <message>
        <source>another job writes to the same places as this one, in %1: %2</source>
        <translation>另一作业与此作业写入相同的位置（%1）：%2</translation>
    </message>
    <message>
        <source>another process has just started this job: %1 started during the check of its processes</source>
        <translation>另一进程刚刚启动了此作业：%1 在检查其进程时开始</translation>
    </message>
    <message>
        <source>ask for the acting role described in docs/kubernetes.md</source>
        <translation>请申请 docs/kubernetes.md 中所述的操作角色</translation>
    </message>
    <message>
        <source>call exit_by_request in the overridden TrainOneStepCell; until then, be ready for a force stop</source>
        <translation>请在重写的 TrainOneStepCell 中调用 exit_by_request；在此之前请准备强制停止</translation>
    </message>
    <message>
        <source>cannot get the state of the machines and their devices from %1: %2</source>
        <translation>无法从 %1 得到机器及其设备的状态：%2</translation>
    </message>
    <message>
        <source>cannot read %1: it may contain a file that a framework would load instead of the chosen set</source>
        <translation>无法读取 %1：其中可能有框架会优先于所选整组加载的文件</translation>
    </message>
    <message>
        <source>cannot tell whether %1 on node %2 is free for MindIO&apos;s controller (%3)</source>
        <translation>无法得知节点 %2 的 %1 是否可供 MindIO 的控制器使用（%3）</translation>
    </message>
    <message>
        <source>cannot tell whether GracefulExit is 1 in %1 on node %2 (%3): if it is, every rank would stop after its first step</source>
        <translation>无法得知节点 %2 的 %1 中 GracefulExit 是否为 1（%3）：如果是，每个 rank 都会在第一步之后停止</translation>
    </message>
    <message>
        <source>cannot tell whether another attempt of this job is running on node %1: %2</source>
        <translation>无法得知节点 %1 上是否有此作业的另一次运行：%2</translation>
    </message>
    <message>
        <source>cannot tell whether another console is acting on this job: %1</source>
        <translation>无法得知另一控制台是否在操作此作业：%1</translation>
    </message>
    <message>
        <source>cannot tell whether another console is resuming this job on node %1: %2</source>
        <translation>无法得知另一控制台是否在节点 %1 上续训此作业：%2</translation>
    </message>
    <message>
        <source>cannot tell whether another job on node %1 writes to the paths of this one: %2</source>
        <translation>无法得知节点 %1 上是否有另一作业写入此作业的路径：%2</translation>
    </message>
    <message>
        <source>cannot tell whether port %1 on node %2 is free for the scheduler</source>
        <translation>无法得知节点 %2 的端口 %1 是否可供调度器使用</translation>
    </message>
    <message>
        <source>cannot tell whether the old attempt is still running on node %1: %2</source>
        <translation>无法得知上一次运行是否仍在节点 %1 上：%2</translation>
    </message>
    <message>
        <source>cannot tell whether the run outlives this console on node %1</source>
        <translation>无法得知在节点 %1 上运行是否会比此控制台存在更久</translation>
    </message>
    <message>
        <source>cannot tell whether there is %1 in %2: %3</source>
        <translation>无法得知 %2 中是否有 %1：%3</translation>
    </message>
    <message>
        <source>check KillUserProcesses in the node&apos;s logind.conf</source>
        <translation>请检查该节点 logind.conf 中的 KillUserProcesses</translation>
    </message>
    <message>
        <source>check again, and confirm the new list</source>
        <translation>请再次检查，并确认新的列表</translation>
    </message>
    <message>
        <source>check the disk there before you resume</source>
        <translation>续训前请检查那里的磁盘</translation>
    </message>
    <message>
        <source>check the file before you resume</source>
        <translation>续训前请检查该文件</translation>
    </message>
    <message>
        <source>check the job there</source>
        <translation>请在那里检查作业</translation>
    </message>
    <message>
        <source>check the job, then request the stop again</source>
        <translation>请检查作业，然后再次请求停止</translation>
    </message>
    <message>
        <source>check the journal</source>
        <translation>请检查操作记录</translation>
    </message>
    <message>
        <source>check the kept sets there</source>
        <translation>请在那里检查保留的整组</translation>
    </message>
    <message>
        <source>check there for *_train.ckpt, hpc_ckpt_*.ckpt and non_persistent/ before you resume</source>
        <translation>续训前请检查那里是否有 *_train.ckpt、hpc_ckpt_*.ckpt 和 non_persistent/</translation>
    </message>
    <message>
        <source>check there with &quot;ss -ltn&quot;</source>
        <translation>请在那里用“ss -ltn”检查</translation>
    </message>
    <message>
        <source>check there; a resume that is about to start would be stopped too</source>
        <translation>请在那里检查；即将开始的续训也会被停止</translation>
    </message>
    <message>
        <source>check use_graceful_exit in the yaml; if it is False, the stop would do nothing</source>
        <translation>请检查 yaml 中的 use_graceful_exit；如果为 False，停止不起作用</translation>
    </message>
    <message>
        <source>check what is running now, then decide</source>
        <translation>请检查现在有什么在运行，再决定</translation>
    </message>
    <message>
        <source>choose a periodic set, or a script that gets its file as an option (launch.script resnet, launch.command)</source>
        <translation>请选用周期整组，或以选项得到文件的脚本（launch.script resnet，launch.command）</translation>
    </message>
    <message>
        <source>choose one of the listed sets</source>
        <translation>请选用列出的整组之一</translation>
    </message>
    <message>
        <source>choose the periodic set of the same step: %1</source>
        <translation>请选用同一 step 的周期整组：%1</translation>
    </message>
    <message>
        <source>continue it (kill -CONT), or find out why it was stopped; until then the ranks cannot agree</source>
        <translation>请让它继续（kill -CONT），或查明它为何停住；在此之前各 rank 无法达成一致</translation>
    </message>
    <message>
        <source>copy the run&apos;s strategy file there, or leave the option out on all nodes</source>
        <translation>请将该运行的策略文件复制到那里，或在所有节点上去掉该选项</translation>
    </message>
    <message>
        <source>correct graceful_exit.config in the job file to the path that the ranks read</source>
        <translation>请将作业文件中的 graceful_exit.config 更正为 rank 所读取的路径</translation>
    </message>
    <message>
        <source>correct graceful_exit.configmap in the job file, or create that ConfigMap with the key reset.json and mount it into the pods</source>
        <translation>请更正作业文件中的 graceful_exit.configmap，或创建含键 reset.json 的 ConfigMap 并挂载到 pod</translation>
    </message>
    <message>
        <source>correct launch.command in the job file</source>
        <translation>请更正作业文件中的 launch.command</translation>
    </message>
    <message>
        <source>correct launch.command or launch.workdir, or put the script there</source>
        <translation>请更正 launch.command 或 launch.workdir，或将脚本放到那里</translation>
    </message>
    <message>
        <source>correct launch.command or logs.path in the job file</source>
        <translation>请更正作业文件中的 launch.command 或 logs.path</translation>
    </message>
    <message>
        <source>correct launch.fault_tolerance in the job file</source>
        <translation>请更正作业文件中的 launch.fault_tolerance</translation>
    </message>
    <message>
        <source>correct launch.workdir, or put the job&apos;s files there</source>
        <translation>请更正 launch.workdir，或将作业的文件放到那里</translation>
    </message>
    <message>
        <source>correct logs.path in the job file</source>
        <translation>请更正作业文件中的 logs.path</translation>
    </message>
    <message>
        <source>correct nodes, launch.command or logs.path in the job file</source>
        <translation>请更正作业文件中的 nodes、launch.command 或 logs.path</translation>
    </message>
    <message>
        <source>correct the file on the node that submits, or its name in the job file</source>
        <translation>请更正提交节点上的该文件，或作业文件中它的名称</translation>
    </message>
    <message>
        <source>correct the nodes in the job file, or spec.tasks[0].replicas</source>
        <translation>请更正作业文件中的节点，或 spec.tasks[0].replicas</translation>
    </message>
    <message>
        <source>correct the path in the job file</source>
        <translation>请更正作业文件中的路径</translation>
    </message>
    <message>
        <source>correct the ranks of the nodes in the job file, or the container&apos;s resources</source>
        <translation>请更正作业文件中节点的 ranks，或容器的资源</translation>
    </message>
    <message>
        <source>create it there with the content {}, or correct graceful_exit.config in the job file</source>
        <translation>请在那里创建内容为 {} 的文件，或更正作业文件中的 graceful_exit.config</translation>
    </message>
    <message>
        <source>create that file with %1, or set launch.fault_npus to its path</source>
        <translation>请创建含 %1 的该文件，或将 launch.fault_npus 设为其路径</translation>
    </message>
    <message>
        <source>did you mean %1?</source>
        <translation>是否想写 %1？</translation>
    </message>
    <message>
        <source>correct or remove the setting; do not rely on it</source>
        <translation>请勿依赖它：请更正或去掉</translation>
    </message>
    <message>
        <source>docs/kubernetes.md lists the roles; &quot;kubectl auth can-i get configmaps -n NAMESPACE&quot; shows what is missing</source>
        <translation>docs/kubernetes.md 列出了各角色；“kubectl auth can-i get configmaps -n NAMESPACE”会显示缺少什么</translation>
    </message>
    <message>
        <source>each file keeps its other keys; only GracefulExit is changed</source>
        <translation>每个文件保留其他键；只改变 GracefulExit</translation>
    </message>
    <message>
        <source>end that listener, or set a different port in MS_TFT_PORT or in the script</source>
        <translation>请结束该监听者，或在 MS_TFT_PORT 或脚本中换一个端口</translation>
    </message>
    <message>
        <source>expected %1 in the pods, found no mount that contains it</source>
        <translation>pod 中应有 %1，没有挂载包含它</translation>
    </message>
    <message>
        <source>expected %1 of %2 in a pod, one for each rank, found %3</source>
        <translation>一个 pod 中应有 %1 个 %2，每个 rank 一个，实为 %3 个</translation>
    </message>
    <message>
        <source>expected %1 on node %2 free for MindIO&apos;s controller (%3), found another listener</source>
        <translation>节点 %2 的 %1 应空闲供 MindIO 的控制器使用（%3），实有另一监听者</translation>
    </message>
    <message>
        <source>expected %1 on node %2 to be writable, found that it belongs to %3 and this login may not write there</source>
        <translation>节点 %2 的 %1 应可写，实属 %3，此登录不可在那里写入</translation>
    </message>
    <message>
        <source>expected %1 replicas, one for each node with ranks in the job file, found %2</source>
        <translation>应有 %1 个副本，作业文件中每个有 rank 的节点一个，实为 %2 个</translation>
    </message>
    <message>
        <source>expected %1, which runs every rank, on node %2, found none in the PATH of the launch</source>
        <translation>节点 %2 上应有运行每个 rank 的 %1，启动的 PATH 中没有</translation>
    </message>
    <message>
        <source>expected one SLURM_JOB_ID in the environment of the ranks, found none or several</source>
        <translation>rank 的环境中应有 SLURM_JOB_ID，一个也没有，或有多个作业</translation>
    </message>
    <message>
        <source>expected a handler for SIG%1 in %2, found none: the signal would end the process at once, without a save</source>
        <translation>%2 应有 SIG%1 的处理函数，没有：信号会不保存而立即结束进程</translation>
    </message>
    <message>
        <source>expected a launch recipe (%1), found %2</source>
        <translation>应为启动方式（%1），实为 %2</translation>
    </message>
    <message>
        <source>expected a node</source>
        <translation>应为节点</translation>
    </message>
    <message>
        <source>expected all %1 ranks (world_size) to be assigned to nodes, found %2</source>
        <translation>world size 为 %1，每个 rank 都应在某个节点上，实为 %2</translation>
    </message>
    <message>
        <source>expected fault-scheduling &quot;grace&quot;, &quot;force&quot; or &quot;off&quot;, found %1: it is treated as off, and no pod is deleted after a fault</source>
        <translation>fault-scheduling 应为“grace”、“force”或“off”，实为 %1：视为 off，故障后不会删除 pod</translation>
    </message>
    <message>
        <source>expected ranks on the job&apos;s nodes, found none</source>
        <translation>作业的节点上应有 rank，一个也没有</translation>
    </message>
    <message>
        <source>expected terminationGracePeriodSeconds above 0 and below %1 (grace-over-time), found %2</source>
        <translation>terminationGracePeriodSeconds 应大于 0 且小于 %1（grace-over-time），实为 %2</translation>
    </message>
    <message>
        <source>expected this login to have permission to replace %1, found none (owner %2, mount %3)</source>
        <translation>此登录应可替换 %1，实际不可（所有者 %2，挂载 %3）</translation>
    </message>
    <message>
        <source>expected this login to have permission to update %1, found that the cluster denies it</source>
        <translation>此登录应可更新 %1，集群不允许</translation>
    </message>
    <message>
        <source>expected the ConfigMap as %1 on %2, found no such file: the ranks there would never see the request</source>
        <translation>%2 上应有作为 %1 的 ConfigMap，没有该文件：那里的 rank 永远看不到请求</translation>
    </message>
    <message>
        <source>expected the id of a checkpoint set, found &quot;%1&quot;</source>
        <translation>应为整组的 id，实为“%1”</translation>
    </message>
    <message>
        <source>expected the program %1 on node %2, found none in %3</source>
        <translation>节点 %2 上应有程序 %1，在 %3 中没有找到</translation>
    </message>
    <message>
        <source>expected the script %1 on node %2, found nothing there</source>
        <translation>节点 %2 上应有脚本 %1，那里没有</translation>
    </message>
    <message>
        <source>expected the script&apos;s configuration %1, found %2</source>
        <translation>脚本的配置应为 %1，实为 %2</translation>
    </message>
    <message>
        <source>expected the working directory %1 on node %2, found nothing there</source>
        <translation>节点 %2 上应有工作目录 %1，那里没有</translation>
    </message>
    <message>
        <source>fault-npus of the ConfigMap fault-config-JOB</source>
        <translation>ConfigMap fault-config-JOB 的 fault-npus</translation>
    </message>
    <message>
        <source>fault-scheduling is &quot;force&quot;: after a fault, pods are deleted without their grace period</source>
        <translation>fault-scheduling 为“force”：故障后 pod 不经宽限期即被删除</translation>
    </message>
    <message>
        <source>find out which of the two is the rank, and end the other one by hand</source>
        <translation>请查明两者中哪个是该 rank，并手动结束另一个</translation>
    </message>
    <message>
        <source>find out why the saves stopped: the save of this stop may fail the same way</source>
        <translation>请查明保存为何停止：此次停止的保存可能以同样方式失败</translation>
    </message>
    <message>
        <source>for MindSpore, add graceful_exit.config (the JSON file that OnRequestExit reads) or, in pods, graceful_exit.configmap; for other frameworks, add graceful_exit.signal, stop_file or scancel</source>
        <translation>对 MindSpore，请加入 graceful_exit.config（OnRequestExit 读取的 JSON 文件），在 pod 中则加入 graceful_exit.configmap；对其他框架，请加入 graceful_exit.signal、stop_file 或 scancel</translation>
    </message>
    <message>
        <source>free some space before the next saves are torn</source>
        <translation>请在之后的保存不完整之前腾出空间</translation>
    </message>
    <message>
        <source>free some space in %1 first: a save that does not fit would be torn</source>
        <translation>请先在 %1 中腾出空间：放不下的保存会不完整</translation>
    </message>
    <message>
        <source>free some space there; nothing was copied</source>
        <translation>请在那里腾出空间；没有复制任何文件</translation>
    </message>
    <message>
        <source>give each rank its own file ({rank} in launch.config), or let the script load a directory ({checkpoint_dir} in launch.set)</source>
        <translation>请为每个 rank 提供自己的文件（launch.config 中的 {rank}），或让脚本加载目录（launch.set 中的 {checkpoint_dir}）</translation>
    </message>
    <message>
        <source>give every node in the job file the same number of ranks</source>
        <translation>请在作业文件中为每个节点设置相同的 rank 数</translation>
    </message>
    <message>
        <source>assign every rank to a node in the job file</source>
        <translation>请在作业文件中为每个 rank 指定节点</translation>
    </message>
    <message>
        <source>give its full path (launch.msrun, launch.command) or a PATH in launch.env</source>
        <translation>请写出其完整路径（launch.msrun，launch.command），或在 launch.env 中设置 PATH</translation>
    </message>
    <message>
        <source>give its full path in launch.command, or a PATH in launch.env</source>
        <translation>请在 launch.command 中写出其完整路径，或在 launch.env 中设置 PATH</translation>
    </message>
    <message>
        <source>give one of the two jobs its own log, checkpoint and strategy paths</source>
        <translation>请为两个作业之一设置自己的日志、checkpoint 和策略路径</translation>
    </message>
    <message>
        <source>specify the image by a fixed tag or by its digest</source>
        <translation>请用固定标签或摘要指定镜像</translation>
    </message>
    <message>
        <source>have the device checked or reset first (npu-smi info -t health), or give the rank a different device: a memory error may return</source>
        <translation>请先检查或复位它（npu-smi info -t health），或为该 rank 换一个设备：内存错误可能再次出现</translation>
    </message>
    <message>
        <source>if someone has deleted it by force, or fault-scheduling is &quot;force&quot;, check that machine</source>
        <translation>如果有人强制删除了它，或 fault-scheduling 为“force”，请检查该机器</translation>
    </message>
    <message>
        <source>image %1 has no fixed tag: a machine may start a different image than the one used so far</source>
        <translation>镜像 %1 没有固定标签：机器可能启动与此前不同的镜像</translation>
    </message>
    <message>
        <source>install MindIO there, or leave launch.fault_tolerance out</source>
        <translation>请在那里安装 MindIO，或去掉 launch.fault_tolerance</translation>
    </message>
    <message>
        <source>install the handler in the script, or set the signal that it handles in the job file</source>
        <translation>请在脚本中安装处理函数，或在作业文件中设置它所处理的信号</translation>
    </message>
    <message>
        <source>a stopped process does not handle SIGTERM either; if you end the other ranks, end it with SIGKILL</source>
        <translation>被停住的进程也不处理 SIGTERM；如果结束其余 rank，请用 SIGKILL 结束它</translation>
    </message>
    <message>
        <source>it was removed after it was judged: choose a different set</source>
        <translation>它在判定之后被删除：请选用另一整组</translation>
    </message>
    <message>
        <source>the given path</source>
        <translation>所给路径</translation>
    </message>
    <message>
        <source>keep set %1 first</source>
        <translation>请先保留整组 %1</translation>
    </message>
    <message>
        <source>launch.command gives the script a directory, {checkpoint_dir}, but the script on node %1 accepts only a file: it would load nothing</source>
        <translation>launch.command 给脚本一个目录 {checkpoint_dir}，而节点 %1 上的脚本只接受文件：它什么也不会加载</translation>
    </message>
    <message>
        <source>launch.command names neither {checkpoint} nor {checkpoint_dir}: %1</source>
        <translation>launch.command 既没有 {checkpoint} 也没有 {checkpoint_dir}：%1</translation>
    </message>
    <message>
        <source>launch.env has no MS_ENABLE_GRACEFUL_EXIT=1, so the resumed run could not be stopped by the config</source>
        <translation>launch.env 没有 MS_ENABLE_GRACEFUL_EXIT=1，因此续训的运行无法通过配置停止</translation>
    </message>
    <message>
        <source>launch.volcano.file %1: %2</source>
        <translation>launch.volcano.file %1：%2</translation>
    </message>
    <message>
        <source>run the command once per node (recipe &quot;command&quot; with &quot;per_node&quot;: true), or write the command of one rank</source>
        <translation>请让它在每个节点运行一次（启动方式 &quot;command&quot;，&quot;per_node&quot;: true），或写单个 rank 的命令</translation>
    </message>
    <message>
        <source>let the script write to a different file (strategy_new.ckpt) when it loads this one</source>
        <translation>请让它在加载此文件时写入另一文件（strategy_new.ckpt）</translation>
    </message>
    <message>
        <source>use the same launch.workdir on all nodes, or use the recipe &quot;command&quot;</source>
        <translation>请让 launch.workdir 在所有节点上相同，或使用启动方式 &quot;command&quot;</translation>
    </message>
    <message>
        <source>make logs.path end in worker_{rank}.log, with one directory per node</source>
        <translation>请让 logs.path 以 worker_{rank}.log 结尾，每个节点一个目录</translation>
    </message>
    <message>
        <source>let preStop send the signal that makes the ranks save, or remove preStop: the ranks then get SIGTERM</source>
        <translation>请让 preStop 向 rank 发送它们据以保存的信号，或去掉它：rank 会收到 SIGTERM</translation>
    </message>
    <message>
        <source>let the plan copy it there and compare its hash</source>
        <translation>请由计划将它复制到那里并比较哈希</translation>
    </message>
    <message>
        <source>let the policies abort the job (AbortJob), so that the next resume chooses the newest set</source>
        <translation>请让策略中止作业（AbortJob），使下一次续训选用最新整组</translation>
    </message>
    <message>
        <source>let the script accept a path, and write --resume={checkpoint} (or nothing) in launch.command</source>
        <translation>请让脚本接受路径，并在 launch.command 中写 --resume={checkpoint}（或不写）</translation>
    </message>
    <message>
        <source>log in as its owner, or give this login write permission</source>
        <translation>请以其所有者登录，或给此登录写权限</translation>
    </message>
    <message>
        <source>log in as its owner, or have the owner make it readable (chmod)</source>
        <translation>请以其所有者登录，或由所有者使其可读（chmod）</translation>
    </message>
    <message>
        <source>log in as its owner, or make the file, its directory and its mount writable</source>
        <translation>请以其所有者登录，或使文件、其目录及挂载可写</translation>
    </message>
    <message>
        <source>log in as the user who runs the training</source>
        <translation>请以运行训练的用户登录</translation>
    </message>
    <message>
        <source>log in as the user who runs the training, so that /proc can be read</source>
        <translation>请以运行训练的用户登录，以便读取 /proc</translation>
    </message>
    <message>
        <source>make it an object such as {&quot;GracefulExit&quot;: 0}; with this content the next read kills the rank</source>
        <translation>请将它改为对象，如 {&quot;GracefulExit&quot;: 0}；以此内容，下一次读取会杀死该 rank</translation>
    </message>
    <message>
        <source>make it readable, or let the script accept a path and write {checkpoint} in launch.command</source>
        <translation>请使其可读，或让脚本接受路径并在 launch.command 中写 {checkpoint}</translation>
    </message>
    <message>
        <source>make sure that the script saves on KeyboardInterrupt</source>
        <translation>请确认脚本在 KeyboardInterrupt 时保存</translation>
    </message>
    <message>
        <source>make sure that the training&apos;s user may write there</source>
        <translation>请确认训练的用户可以在那里写入</translation>
    </message>
    <message>
        <source>minAvailable is %1 of %2 pods: Volcano may start only some of them, which then wait for the others</source>
        <translation>minAvailable 为 %2 个 pod 中的 %1 个：Volcano 可能只启动其中一些，它们会等待其余的</translation>
    </message>
    <message>
        <source>mount it as a directory (a subPath is never updated), or correct graceful_exit.config</source>
        <translation>请将它作为目录挂载（subPath 不会更新），或更正 graceful_exit.config</translation>
    </message>
    <message>
        <source>mount the ConfigMap fault-config-JOB there, with fault-npus %1</source>
        <translation>请在那里挂载 ConfigMap fault-config-JOB，含 fault-npus %1</translation>
    </message>
    <message>
        <source>mpirun numbers ranks node by node: expected 0 to %1 in the order of the nodes, found a different order</source>
        <translation>mpirun 按节点依次编号 rank：应按节点顺序为 0 至 %1，实际顺序不同</translation>
    </message>
    <message>
        <source>mpirun starts all ranks in one directory: expected %1 on node %2 too, found %3</source>
        <translation>mpirun 在同一目录启动所有 rank：节点 %2 上也应为 %1，实为 %3</translation>
    </message>
    <message>
        <source>msrun numbers ranks node by node, with the same number on each node: expected %1 consecutive ranks on node %2, found %3</source>
        <translation>msrun 按节点依次编号 rank，每个节点数量相同：节点 %2 上应有 %1 个连续的 rank，实为 %3</translation>
    </message>
    <message>
        <source>msrun writes rank %1&apos;s log to %2, found logs.path %3</source>
        <translation>msrun 将 rank %1 的日志写入 %2，而 logs.path 为 %3</translation>
    </message>
    <message>
        <source>no VALID checkpoint set since step %1, %2 steps ago; before that, there was one at least every %3 steps</source>
        <translation>自 step %1 起没有有效整组，已过 %2 步；此前最多每 %3 步有一个</translation>
    </message>
    <message>
        <source>no VALID checkpoint set yet</source>
        <translation>还没有有效整组</translation>
    </message>
    <message>
        <source>no log line confirms the signal: only the save of every rank and the end of its process show that it worked</source>
        <translation>没有日志行能确认信号：只有每个 rank 的保存及其进程的结束能表明它起了作用</translation>
    </message>
    <message>
        <source>no log line confirms the file: only the save of every rank and the end of its process show that it worked</source>
        <translation>没有日志行能确认该文件：只有每个 rank 的保存及其进程的结束能表明它起了作用</translation>
    </message>
    <message>
        <source>node %1 has %2 free on the checkpoint disk; one save takes %3%4</source>
        <translation>节点 %1 的 checkpoint 磁盘有 %2 空闲；一次保存需 %3%4</translation>
    </message>
    <message>
        <source>since the request, node %1 has not confirmed which console has reserved the job: the stop would also end a resume by another console there</source>
        <translation>自请求以来节点 %1 尚未确认哪个控制台占用了作业：停止也会结束另一控制台在那里的续训</translation>
    </message>
    <message>
        <source>node %1: expected live, found %2%3</source>
        <translation>节点 %1 应在线，实为 %2%3</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>make the journal readable, then try again; Rankdeck does nothing without it</source>
        <translation>请使操作记录可读后重试；没有它 Rankdeck 什么也不做</translation>
    </message>
    <message>
        <source>make the journal writable, then try again; Rankdeck records every action there</source>
        <translation>请使操作记录可写后重试；Rankdeck 会记录所做的一切</translation>
    </message>
    <message>
        <source>make the journal writable, then try again; Rankdeck records every write there</source>
        <translation>请使操作记录可写后重试；Rankdeck 会记录所写的一切</translation>
    </message>
    <message>
        <source>Rankdeck writes a ConfigMap only after reading it; try again when the API server answers</source>
        <translation>没有读取之前什么也不写；请在 API 服务器应答时重试</translation>
    </message>
    <message>
        <source>only SIGKILL is sure to end them</source>
        <translation>只有 SIGKILL 能确保结束它们</translation>
    </message>
    <message>
        <source>order the ranks in the job file that way, or use the recipe &quot;command&quot;</source>
        <translation>请在作业文件中按此顺序排列 rank，或使用启动方式 &quot;command&quot;</translation>
    </message>
    <message>
        <source>paths_shared is not set: Slurm chooses the nodes itself, and each needs the batch directory and every rank&apos;s checkpoint under the same path</source>
        <translation>未设置 paths_shared：Slurm 自己选择节点，每个节点都须以相同路径有批处理目录和每个 rank 的 checkpoint</translation>
    </message>
    <message>
        <source>pid %1 (%2) on node %3 may be rank %4: its environment and directory say so, but it writes to no log of this job</source>
        <translation>节点 %3 上的 pid %1（%2）可能是 rank %4：其环境和目录如此表明，但它不写此作业的日志</translation>
    </message>
    <message>
        <source>preStop and the saves that it triggers share Kubernetes&apos; default grace period of 30 s</source>
        <translation>preStop 及其触发的保存共用 Kubernetes 默认的 30 秒宽限期</translation>
    </message>
    <message>
        <source>preStop runs no command (exec.command): nothing makes the ranks save before the pod ends</source>
        <translation>preStop 不运行命令（exec.command）：没有任何东西使 rank 在 pod 结束前保存</translation>
    </message>
    <message>
        <source>put it back first: Rankdeck then judges it, and the resume uses it if it is VALID</source>
        <translation>请先将它放回：之后会判定它，如果有效则续训使用它</translation>
    </message>
    <message>
        <source>put {checkpoint} where the script expects the file to load; otherwise only the proof shows what it loaded</source>
        <translation>请在脚本需要加载文件处写入 {checkpoint}；否则只有证明能表明它加载了什么</translation>
    </message>
    <message>
        <source>rank %1 and %2 read the same file %3, but must load different checkpoints: %4</source>
        <translation>rank %1 和 %2 读取同一文件 %3，但须加载不同的文件：%4</translation>
    </message>
    <message>
        <source>rank %1 must read %2, but cannot: %3</source>
        <translation>rank %1 须读取 %2，但不能：%3</translation>
    </message>
    <message>
        <source>rank %1 needs %2, found nothing there%3</source>
        <translation>rank %1 需要 %2，那里没有%3</translation>
    </message>
    <message>
        <source>rank %1 reported a memory error of %2 at %3 (%4), and no repair since: %5; the plan uses that device</source>
        <translation>rank %1 报告了 %3 上 %2 的内存错误（%4），此后没有修复：%5；计划使用该设备</translation>
    </message>
    <message>
        <source>repair it by hand; Rankdeck does not write into a file that it cannot read</source>
        <translation>请手动修复：不会写入无法读取的文件</translation>
    </message>
    <message>
        <source>repair it with kubectl edit; Rankdeck does not write into a text that it cannot read</source>
        <translation>请用 kubectl edit 修复：不会写入无法读取的文本</translation>
    </message>
    <message>
        <source>repair it: a root that is not an object kills the rank that reads it</source>
        <translation>请修复：根不是对象时会杀死读取它的 rank</translation>
    </message>
    <message>
        <source>resume a minute later</source>
        <translation>请一分钟后再续训</translation>
    </message>
    <message>
        <source>resume from the periodic set of that step, not from *_train.ckpt</source>
        <translation>请从该 step 的周期整组续训，而不是从 *_train.ckpt</translation>
    </message>
    <message>
        <source>review the new plan</source>
        <translation>请查看新的计划</translation>
    </message>
    <message>
        <source>set 2 or more there, or keep the set first</source>
        <translation>请在那里设为 2 或更大，或先保留该整组</translation>
    </message>
    <message>
        <source>set GRAPH_MODE in the script, or leave launch.fault_tolerance out</source>
        <translation>请在脚本中设置 GRAPH_MODE，或去掉 launch.fault_tolerance</translation>
    </message>
    <message>
        <source>set &quot;per_pod&quot;: true in launch.volcano, or write the command of one rank</source>
        <translation>请在 launch.volcano 中将 &quot;per_pod&quot; 设为 true，或写单个 rank 的命令</translation>
    </message>
    <message>
        <source>set checkpoints.replica_groups in the job file, or choose a periodic set</source>
        <translation>请在作业文件中设置 checkpoints.replica_groups，或选用周期整组</translation>
    </message>
    <message>
        <source>set graceful_exit.slurm_job in the job file</source>
        <translation>请在作业文件中设置 graceful_exit.slurm_job</translation>
    </message>
    <message>
        <source>set jit_level O0 or O1 in the script</source>
        <translation>请在脚本中设置 jit_level O0 或 O1</translation>
    </message>
    <message>
        <source>set launch.master_addr to the IP address of the first node</source>
        <translation>请将 launch.master_addr 设为第一个节点的 IP 地址</translation>
    </message>
    <message>
        <source>set launch.recipe in the job file</source>
        <translation>请在作业文件中设置 launch.recipe</translation>
    </message>
    <message>
        <source>set launch.script to pangu in the job file: Rankdeck then sets RESTORE_RANKS from the chosen set</source>
        <translation>请在作业文件中将 launch.script 设为 pangu，它会根据所选整组来设置</translation>
    </message>
    <message>
        <source>set launch.submit_on to a node that has it, or set its PATH in launch.env</source>
        <translation>请将 launch.submit_on 设为有它的节点，或在 launch.env 中设置其 PATH</translation>
    </message>
    <message>
        <source>set launch.views in the job file to a directory outside the checkpoint directory</source>
        <translation>请在作业文件中将 launch.views 设为其外部的目录</translation>
    </message>
    <message>
        <source>set minAvailable to the number of pods</source>
        <translation>请将 minAvailable 设为 pod 的数量</translation>
    </message>
    <message>
        <source>set paths_shared if all nodes share these paths</source>
        <translation>如果所有节点共享这些路径，请设置 paths_shared</translation>
    </message>
    <message>
        <source>set sink_size=1 in the script</source>
        <translation>请在脚本中设置 sink_size=1</translation>
    </message>
    <message>
        <source>set terminationGracePeriodSeconds to the duration of a save, below %1</source>
        <translation>请将 terminationGracePeriodSeconds 设为一次保存的时长，小于 %1</translation>
    </message>
    <message>
        <source>set the signal that the script handles in the job file</source>
        <translation>请在作业文件中设置脚本所处理的信号</translation>
    </message>
    <message>
        <source>set the training&apos;s container image in the job file</source>
        <translation>请在作业文件中设置训练的容器镜像</translation>
    </message>
    <message>
        <source>several file names begin with %1, but the script on node %2 checks for a file of exactly that name: it would load nothing</source>
        <translation>有多个文件名以 %1 开头，而节点 %2 上的脚本检查恰好为此名的文件：它什么也不会加载</translation>
    </message>
    <message>
        <source>someone else has requested the stop; nothing is written there, and Rankdeck waits for the proof</source>
        <translation>已有人请求停止；那里不写任何内容，Rankdeck 等待证明</translation>
    </message>
    <message>
        <source>someone else has requested the stop; nothing is written, and Rankdeck waits for the proof</source>
        <translation>已有人请求停止；不写任何内容，Rankdeck 等待证明</translation>
    </message>
    <message>
        <source>start the job with the degrees that saved the set, or convert the set with the framework&apos;s own tool first</source>
        <translation>请以保存时的并行度启动，或先用该框架自己的工具转换整组</translation>
    </message>
    <message>
        <source>start the job with the world size that saved the set, or convert the set with ds_to_universal.py and load the result</source>
        <translation>请以保存时的 world size 启动，或用 ds_to_universal.py 转换整组并加载结果</translation>
    </message>
    <message>
        <source>stop that attempt first, or watch it</source>
        <translation>请先停止那次运行，或观察它</translation>
    </message>
    <message>
        <source>strategy_load_ckpt_path names %1, which is missing on node %2: without it, ranks that now split the model differently load the wrong parts</source>
        <translation>strategy_load_ckpt_path 指明 %1，而节点 %2 上没有它：没有它，现在以不同方式切分模型的 rank 会加载错误的部分</translation>
    </message>
    <message>
        <source>subHealthyStrategy is &quot;forceExit&quot;: a failing device ends the job at once, without a save</source>
        <translation>subHealthyStrategy 为“forceExit”：即将失效的设备会不保存而立即结束作业</translation>
    </message>
    <message>
        <source>the %1 of this job by %2@%3 is in progress since %4</source>
        <translation>%2@%3 对此作业的 %1 自 %4 起进行中</translation>
    </message>
    <message>
        <source>the ConfigMap %1 %2</source>
        <translation>ConfigMap %1 %2</translation>
    </message>
    <message>
        <source>the ConfigMap cannot be read: %1</source>
        <translation>无法读取 ConfigMap：%1</translation>
    </message>
    <message>
        <source>the ConfigMap reaches the pods within about 90 s. Rankdeck watches the file there</source>
        <translation>ConfigMap 约在 90 秒内到达 pod。Rankdeck 会观察那里的文件</translation>
    </message>
    <message>
        <source>the ConfigMap reaches the pods within about 90 s. With graceful_exit.config the delay would be visible</source>
        <translation>ConfigMap 约在 90 秒内到达 pod。如果设置 graceful_exit.config，可以看到该延迟</translation>
    </message>
    <message>
        <source>the clock of node %1 is off by %2</source>
        <translation>节点 %1 的时钟相差 %2</translation>
    </message>
    <message>
        <source>the config differs between %1</source>
        <translation>%1 的配置不同</translation>
    </message>
    <message>
        <source>the directory of the exit save, %1, cannot be checked: %2</source>
        <translation>无法检查退出保存的目录 %1：%2</translation>
    </message>
    <message>
        <source>the environment of %1 cannot be read, so MS_ENABLE_GRACEFUL_EXIT is unknown</source>
        <translation>无法读取 %1 的环境，因此 MS_ENABLE_GRACEFUL_EXIT 未知</translation>
    </message>
    <message>
        <source>the exit %1 of %2 (%3 at %4) was killed before it finished</source>
        <translation>%2 的退出 %1（%4 时为 %3）在中途被杀死</translation>
    </message>
    <message>
        <source>the exit saves into %1, but %2</source>
        <translation>退出保存到 %1，而%2</translation>
    </message>
    <message>
        <source>the graceful-exit config %1 %2</source>
        <translation>优雅退出配置 %1 %2</translation>
    </message>
    <message>
        <source>the graceful-exit config %1 on node %2: %3</source>
        <translation>节点 %2 的优雅退出配置 %1：%3</translation>
    </message>
    <message>
        <source>the graceful-exit config %1: %2</source>
        <translation>优雅退出配置 %1：%2</translation>
    </message>
    <message>
        <source>the job file defines no way to request a stop: it has no graceful_exit.config, the file through which a run is stopped</source>
        <translation>作业文件没有请求停止的方式：没有 graceful_exit.config，因此没有可用来停止它的文件</translation>
    </message>
    <message>
        <source>the job has changed since it was checked; the new plan: %1</source>
        <translation>作业在检查之后已改变：现在的计划是 %1</translation>
    </message>
    <message>
        <source>the job has no launch.command, so Rankdeck cannot start it</source>
        <translation>作业没有 launch.command，因此 Rankdeck 无法启动它</translation>
    </message>
    <message>
        <source>the job has no launch.volcano.image</source>
        <translation>作业没有 launch.volcano.image</translation>
    </message>
    <message>
        <source>the job has no logs.path, so a resume could not be proven</source>
        <translation>作业没有 logs.path，因此续训无法证明</translation>
    </message>
    <message>
        <source>the loss or the gradients are NaN or Inf, and a graceful stop would save that: nothing of this run can be kept</source>
        <translation>loss 或梯度为 NaN 或 Inf，优雅退出会保存它：此次运行没有可保留的内容</translation>
    </message>
    <message>
        <source>the newest checkpoint has no graceful_exit and graceful_init parameters. If the script overrides TrainOneStepCell without the branch that stops it, the run accepts the stop request but never stops</source>
        <translation>最新的 checkpoint 没有 graceful_exit 和 graceful_init 参数。如果脚本重写了 TrainOneStepCell 而没有停止它的分支，运行会接受标志但永不停止</translation>
    </message>
    <message>
        <source>the plan copies %1 to %2 on node %3</source>
        <translation>计划复制 %1 到节点 %3 的 %2</translation>
    </message>
    <message>
        <source>the plan gives each rank a copy with a global_step that the optimizer accepts, and with both tags at 0</source>
        <translation>计划为每个 rank 提供副本，其 global_step 可被优化器接受，两个标志均为 0</translation>
    </message>
    <message>
        <source>the plan gives each rank a copy with both tags at 0</source>
        <translation>计划为每个 rank 提供两个标志均为 0 的副本</translation>
    </message>
    <message>
        <source>the plan gives the chosen file a new creation time</source>
        <translation>计划为所选文件设置新的创建时间</translation>
    </message>
    <message>
        <source>the plan links it there under the rank&apos;s own name</source>
        <translation>计划以该 rank 自己的名称将它链接到那里</translation>
    </message>
    <message>
        <source>the plan backs up %1, which is the chosen set, but launch.command names no checkpoint: every rank would start from zero%2</source>
        <translation>计划将所选整组的 %1 移为备份，而 launch.command 没有指明 checkpoint：每个 rank 都会从零开始%2</translation>
    </message>
    <message>
        <source>the plan puts a copy of it there, %1</source>
        <translation>计划将其副本放到那里，%1</translation>
    </message>
    <message>
        <source>the plan records %1 in %2</source>
        <translation>计划在 %2 中记录 %1</translation>
    </message>
    <message>
        <source>the pods have no /dev/shm in memory: it has 64 MiB, too little for collectives and data loaders</source>
        <translation>pod 没有内存中的 /dev/shm：只有 64 MiB，对集合通信和数据加载来说太小</translation>
    </message>
    <message>
        <source>the process of %1 is stopped by a signal (state T): it reads nothing until it is continued</source>
        <translation>%1 的进程被信号停住（状态 T）：在继续之前它什么也不读</translation>
    </message>
    <message>
        <source>the proof shows which file each rank loaded</source>
        <translation>证明会显示每个 rank 加载了哪个文件</translation>
    </message>
    <message>
        <source>the ranks belong to Slurm job %1</source>
        <translation>这些 rank 属于 Slurm 作业 %1</translation>
    </message>
    <message>
        <source>the retention of the new attempt may not be able to remove it; log in as its owner if that user runs the training</source>
        <translation>新运行的轮换可能无法删除它；如果该用户运行训练，请以其身份登录</translation>
    </message>
    <message>
        <source>the run would be killed when this console&apos;s login ends on node %1</source>
        <translation>当此控制台的登录在节点 %1 上结束时，运行会被杀死</translation>
    </message>
    <message>
        <source>the scheduler will end the job by force at %1, in %2: the save must be finished by then</source>
        <translation>调度器会在 %1（%2 后）强制结束作业：保存须在此前完成</translation>
    </message>
    <message>
        <source>the script loads an emergency checkpoint only if RESTORE_RANKS lists ranks, but launch.env lists none: it would fall back to periodic checkpoints</source>
        <translation>仅当 RESTORE_RANKS 列出 rank 时脚本才加载临终 CKPT，launch.env 中没有：它会改用周期 checkpoint</translation>
    </message>
    <message>
        <source>the script loads only with --resume, but launch.command does not have that option: every rank would start from zero</source>
        <translation>脚本只在有 --resume 时加载，而 launch.command 没有它：每个 rank 都会从零开始</translation>
    </message>
    <message>
        <source>the script loads the most recently created file in its directory. A hard link, a copy or a new owner makes an older file look like the newest</source>
        <translation>脚本加载其目录中最后创建的文件。硬链接、复制或更换所有者会使较旧的文件成为最后一个</translation>
    </message>
    <message>
        <source>the script loads the newest file in its directory; %1 and %2 more come before the chosen file (%3)</source>
        <translation>脚本加载其目录中最新的文件，而 %1 等（另有 %2 个）在所选的之前（%3）</translation>
    </message>
    <message>
        <source>the script loads the newest file in its directory; %1 comes before the chosen file (%2)</source>
        <translation>脚本加载其目录中最新的文件，而 %1 在所选的之前（%2）</translation>
    </message>
    <message>
        <source>the script on node %1 loads restore_path from its configuration, not the chosen set; if that path does not exist, it silently starts from zero</source>
        <translation>节点 %1 上的脚本从其配置加载 restore_path，而不是所选整组；如果它不存在，则无提示地从零开始</translation>
    </message>
    <message>
        <source>the script on node %1 writes its strategy to %2, and also loads a strategy from there: a rank may find the file half written</source>
        <translation>节点 %1 上的脚本将其策略写入 %2，又从中加载：rank 可能读到写了一半的文件</translation>
    </message>
    <message>
        <source>the script overwrites %1 with each better checkpoint: the next save would overwrite the chosen set</source>
        <translation>脚本将每个更好的 checkpoint 覆盖到 %1：下一次保存会覆盖所选整组</translation>
    </message>
    <message>
        <source>the script that launch.command starts could not be read. MindX DL&apos;s own script behaves like this with --resume=true: %1</source>
        <translation>无法读取 launch.command 启动的脚本。对于 --resume=true，MindX DL 自己的脚本这样做：%1</translation>
    </message>
    <message>
        <source>the script never writes an emergency checkpoint if one is less than a minute old at its start, as %1 is now</source>
        <translation>如果启动时有不到一分钟的临终 CKPT（%1 即是），脚本永远不会再写</translation>
    </message>
    <message>
        <source>the script&apos;s OnRequestExit has save_ckpt=False: the ranks end without a save%1</source>
        <translation>脚本的 OnRequestExit 设为 save_ckpt=False：rank 会不保存而结束%1</translation>
    </message>
    <message>
        <source>the script&apos;s generator chooses an emergency checkpoint only if a faulty rank with a replica is recorded, but no replicas are known</source>
        <translation>仅当记录了有副本的故障 rank 时，脚本的生成器才选择临终 CKPT，而副本未知</translation>
    </message>
    <message>
        <source>the script&apos;s generator chooses emergency checkpoints by the recorded faults, regardless of RESTORE_RANKS</source>
        <translation>脚本的生成器按记录的故障选择临终 CKPT，与 RESTORE_RANKS 无关</translation>
    </message>
    <message>
        <source>the script&apos;s generator reads the faults from %1 on node %2, found: %3</source>
        <translation>脚本的生成器读取节点 %2 上 %1 的故障，实为 %3</translation>
    </message>
    <message>
        <source>the script&apos;s generator reads the faults from %1, but the vcjob mounts nothing there</source>
        <translation>脚本的生成器读取 %1 的故障，而 vcjob 没有在那里挂载任何内容</translation>
    </message>
    <message>
        <source>the staging directory %1 is inside the checkpoint directory %2: a script that searches that directory finds each file twice</source>
        <translation>暂存目录 %1 在 checkpoint 目录 %2 之内：搜索该目录的脚本会两次找到每个文件</translation>
    </message>
    <message>
        <source>the stop file %1: %2</source>
        <translation>停止文件 %1：%2</translation>
    </message>
    <message>
        <source>the stop file already exists:</source>
        <translation>停止文件已存在：</translation>
    </message>
    <message>
        <source>the stop reports it if that happens; request the stop again when the fault is over</source>
        <translation>如果发生，停止会报告；请在故障结束后再次请求停止</translation>
    </message>
    <message>
        <source>the stop that saved the checkpoints set their tags graceful_exit and graceful_init, and the script loads them</source>
        <translation>保存这些 checkpoint 的停止设置了标志 graceful_exit 和 graceful_init，脚本会加载它们</translation>
    </message>
    <message>
        <source>the tags graceful_exit and graceful_init of the checkpoints are 0, so all ranks will stop at the same step in a later stop</source>
        <translation>checkpoint 的标志 graceful_exit 和 graceful_init 为 0，因此以后停止时所有 rank 会停在同一 step</translation>
    </message>
    <message>
        <source>the training may not write there</source>
        <translation>训练不可在那里写入</translation>
    </message>
    <message>
        <source>there is no periodic set of the same step; an older set can be loaded</source>
        <translation>没有同一 step 的周期整组；可以加载较旧的整组</translation>
    </message>
    <message>
        <source>this login may not write there</source>
        <translation>此登录不可在那里写入</translation>
    </message>
    <message>
        <source>this stop overwrites them; copy them if they are still needed</source>
        <translation>此次停止会覆盖它们；如仍需要请复制</translation>
    </message>
    <message>
        <source>this stop waits for the proof and takes the request back in its place</source>
        <translation>此次停止等待证明，并代它撤回请求</translation>
    </message>
    <message>
        <source>times of files and log lines come from the node&apos;s clock; run NTP there</source>
        <translation>文件和日志行的时间来自节点的时钟；请在那里运行 NTP</translation>
    </message>
    <message>
        <source>torchrun numbers ranks node by node, with the same number on each node; found %1 on node %2</source>
        <translation>torchrun 按节点依次编号 rank，每个节点数量相同；节点 %2 上实为 %1</translation>
    </message>
    <message>
        <source>two processes claim to be rank %1 on node %2: %3</source>
        <translation>节点 %2 上有两个进程自称 rank %1：%3</translation>
    </message>
    <message>
        <source>use one of these three values</source>
        <translation>请使用这三个值之一</translation>
    </message>
    <message>
        <source>wait for its outcome, or cancel it there</source>
        <translation>请等待其结果，或在那里取消</translation>
    </message>
    <message>
        <source>wait for its outcome, then request the stop again</source>
        <translation>请等待其结果，然后再次请求停止</translation>
    </message>
    <message>
        <source>wait for its pods, or end that vcjob</source>
        <translation>请等待其 pod，或结束该 vcjob</translation>
    </message>
    <message>
        <source>wait for the next periodic save, if the script has one</source>
        <translation>如果脚本有周期保存，请等待下一次</translation>
    </message>
    <message>
        <source>wait until it has been judged again</source>
        <translation>请等到它再次判定</translation>
    </message>
    <message>
        <source>cannot tell from /proc whether %1 handles SIG%2</source>
        <translation>无法从 /proc 得知 %1 是否处理 SIG%2</translation>
    </message>
    <message>
        <source>a smaller value leaves no time for a save; with a larger value, the pods are ended during the save</source>
        <translation>太小则没有时间保存；太大则 pod 会在保存中途被结束</translation>
    </message>
    <message>
        <source>without a save the stop loses work: make the directory writable for the training</source>
        <translation>没有保存，停止会损失工作：请使该目录对训练可写</translation>
    </message>
    <message>
        <source>work since the newest VALID set is lost if it is not saved by then; waiting longer does not help</source>
        <translation>自最新有效整组起的工作如未在此前保存就会丢失；再等也没有用</translation>
    </message>
    <message>
        <source>wrap the optimizer in the script: nn.OptTFTWrapper(optimizer)</source>
        <translation>请在脚本中包装优化器：nn.OptTFTWrapper(optimizer)</translation>
    </message>
    <message>
        <source>write %1, or set the modes in launch.fault_tolerance</source>
        <translation>请写 %1，或在 launch.fault_tolerance 中设置模式</translation>
    </message>
    <message>
        <source>write --resume=true in launch.command</source>
        <translation>请在 launch.command 中写 --resume=true</translation>
    </message>
    <message>
        <source>write that line as plain &quot;key: value&quot;, or set the keys by hand and leave launch.script out</source>
        <translation>请将该行写成普通的 &quot;key: value&quot;，或手动设置这些键并去掉 launch.script</translation>
    </message>
    <message>
        <source>write {} into it</source>
        <translation>请在其中写入 {}</translation>
    </message>
    <message>
        <source>%1, but %2 and %3 more do not belong to the chosen set</source>
        <translation>%1，而 %2 等（另有 %3 个）不属于所选整组</translation>
    </message>
    <message>
        <source>%1, but %2 does not belong to the chosen set</source>
        <translation>%1，而 %2 不属于所选整组</translation>
    </message>
    <message>
        <source>%1: %2%3, on node %4</source>
        <translation>%1：%2%3，在节点 %4</translation>
    </message>
    <message>
        <source>are running</source>
        <translation>在运行</translation>
    </message>
    <message>
        <source>cannot tell whether %1 %2</source>
        <translation>无法得知 %1 是否%2</translation>
    </message>
    <message>
        <source>cannot tell whether %1 on node %2 %3: the logs belong to user %4, and this login cannot inspect other users&apos; processes</source>
        <translation>无法得知节点 %2 上的 %1 是否%3：日志属于用户 %4，此登录无法查看其他用户的进程</translation>
    </message>
    <message>
        <source>expected %1 to read %4, as in the job file, found %2 (%3): the ranks would never see the stop request</source>
        <translation>%1 应读取作业文件中的 %4，实为 %2（%3）：这些 rank 不会看到停止请求</translation>
    </message>
    <message>
        <source>expected running ranks, found no process that is known to belong to this job and no log that is growing; cannot tell whether %1 %2</source>
        <translation>应有运行中的 rank，没有已知属于此作业的进程，也没有增长中的日志；无法得知 %1 是否%2</translation>
    </message>
    <message>
        <source>is running</source>
        <translation>在运行</translation>
    </message>
    <message>
        <source>the script loads an emergency checkpoint only from each rank&apos;s own folder: %1 would find none, so the file of a replica is used</source>
        <translation>脚本只从每个 rank 自己的文件夹加载临终 CKPT：%1 找不到，因此使用副本的文件</translation>
    </message>
    <message>
        <source>this job is already running</source>
        <translation>此作业已在运行</translation>
    </message>
    <message>
        <source>this job is reserved</source>
        <translation>此作业已被占用</translation>
    </message>
    <message>
        <source>%1 and %2 have the same values in %3 but not in the rest: one file may be a copy of the other</source>
        <translation>%1 和 %2 在 %3 中数值相同，其余不同：其中一个文件可能是另一个的副本</translation>
    </message>
    <message>
        <source>%1 belongs to rank 0 by its path, and no other rank has a file. Rank 0 may save for all ranks, or the others save elsewhere. Set the number of ranks or checkpoints.saved_by to show which</source>
        <translation>按路径 %1 属于 rank 0，其他 rank 都没有文件。rank 0 可能为所有 rank 保存，或其他 rank 保存在别处。请设置 rank 数或 checkpoints.saved_by 来说明</translation>
    </message>
    <message>
        <source>%1 has only the first %2 of the %3 tensors of %4: truncated between two records, before &apos;%5&apos;</source>
        <translation>%1 在 %4 所有的 %3 个张量中的第 %2 个之后结束：在两条记录之间被截断，位于“%5”之前</translation>
    </message>
    <message>
        <source>%1 has %2 tensors, %3 has %4</source>
        <translation>%1 有 %2 个张量，%3 有 %4 个</translation>
    </message>
    <message>
        <source>%1 has a file that is %2 hours older than the other ranks&apos; files: left by an earlier run, or a copy</source>
        <translation>%1 的文件比其他 rank 的文件早 %2 小时：由更早的运行留下，或为副本</translation>
    </message>
    <message>
        <source>%1 has a file that rank %2 saved</source>
        <translation>%1 的文件由 rank %2 保存</translation>
    </message>
    <message>
        <source>%1 has counted %2 at step %3, the same as in another save. In all other saves the count grows with the steps</source>
        <translation>%1 在 step %3 计为 %2，与另一次保存相同；在其他保存中计数随 step 增大</translation>
    </message>
    <message>
        <source>%1 has counted %2 steps, but the other optimizer files %3: they come from different saves, or a part has been frozen since</source>
        <translation>%1 计为 %2 步，优化器的其他文件为 %3：来自不同的保存，或某部分此后被冻结</translation>
    </message>
    <message>
        <source>other files of the same step differ from %1 only in a number in the name: it may belong to an unknown rank</source>
        <translation>%1 有同一 step 的同类文件，名称只差一个数字：它可能属于某个 rank，但无法得知是哪个</translation>
    </message>
    <message>
        <source>%1 has the same values as %2 at %3%4</source>
        <translation>%1 与 %3 的 %2 数值相同%4</translation>
    </message>
    <message>
        <source>%1 has the tensors and values that %2 has at %3: the files were exchanged, or it comes from another rank</source>
        <translation>%1 具有 %2 在 %3 的张量及其数值：被调换，或来自另一 rank</translation>
    </message>
    <message>
        <source>%1 has two files for this step: %2 (used because it is newer) and %3</source>
        <translation>%1 在此 step 有两个文件：%2（较新，因此使用）和 %3</translation>
    </message>
    <message>
        <source>%1 is missing, but all other saves of this run have it: the save may not have finished, or a file was lost</source>
        <translation>缺少 %1，而此运行的其他保存都有：保存可能没有完成，或文件丢失</translation>
    </message>
    <message>
        <source>%1 is not named like the checkpoints beside it: a copy, an export or a leftover from another run. No run will load it</source>
        <translation>%1 的名称与旁边的 checkpoint 不同：副本、导出或另一次运行的遗留；没有运行会加载它</translation>
    </message>
    <message>
        <source>%1 may be only a part of its save, because %2 is beside it: nothing shows which files belong together</source>
        <translation>%1 可能只是其保存的一部分（旁边有 %2）：无法得知哪些文件属于一起</translation>
    </message>
    <message>
        <source>%1 of %2 large files (first: %3) are as old as the previous save: they were moved or copied here from it</source>
        <translation>%2 个大文件中有 %1 个（首先是 %3）与前一次保存同样旧：从那次保存移动或复制而来</translation>
    </message>
    <message>
        <source>%1 ranks were counted from the existing files: there may be more</source>
        <translation>按现有文件数出 %1 个 rank：可能更多</translation>
    </message>
    <message>
        <source>%1 has %2 %3, but %4 has %5</source>
        <translation>%1 的 %2 为 %3，%4 为 %5</translation>
    </message>
    <message>
        <source>%1 has %2 %3, but %4 has %5: the files come from two runs</source>
        <translation>%1 的 %2 为 %3，%4 为 %5：文件来自两次运行</translation>
    </message>
    <message>
        <source>%1 tensors missing</source>
        <translation>缺 %1 个张量</translation>
    </message>
    <message>
        <source>%1 uses a different data order than the other saves of the epoch: it belongs to another run, or its order was reset</source>
        <translation>%1 使用的数据顺序与该 epoch 的其他保存不同：它属于另一次运行，或其顺序被重置</translation>
    </message>
    <message>
        <source>%1 uses a different seed for the data order than all other saves: it belongs to another run</source>
        <translation>%1 的数据顺序使用与其他保存不同的种子：它属于另一次运行</translation>
    </message>
    <message>
        <source>%1 was saved as %2: the file was renamed, or is a copy of another save&apos;s file</source>
        <translation>%1 保存时名为 %2：文件被改名，或是另一次保存的文件的副本</translation>
    </message>
    <message>
        <source>%1%2%3%4 at step %5, but in all other saves the count grows with the steps: it belongs to another save or run, or was reset</source>
        <translation>%1%2%3%4（step %5），而在其他保存中计数随 step 增大：它属于另一次保存或运行，或已被重置</translation>
    </message>
    <message>
        <source>%1, and %2 ranks have the same values: they are replicas, and this file is not from the same save</source>
        <translation>%1，而有 %2 个 rank 数值相同：它们是副本，此文件不属于同一次保存</translation>
    </message>
    <message>
        <source>%1, but the same values in %2 other tensors: if the ranks are data-parallel replicas, one of the files is damaged</source>
        <translation>%1，而在另外 %2 个张量中数值相同：如果这些 rank 是数据并行副本，则其中一个文件已损坏</translation>
    </message>
    <message>
        <source>%1, according to its content</source>
        <translation>%1（按其内容）</translation>
    </message>
    <message>
        <source>%1, although they are data-parallel replicas</source>
        <translation>%1，尽管它们是数据并行副本</translation>
    </message>
    <message>
        <source>%1: %2 differs from the files of %3 other ranks, which all have the same values: it belongs to another run or another save</source>
        <translation>%1：%2 与 %3 个 rank 的文件数值不同，而那些数值相同：它属于另一次运行或另一次保存</translation>
    </message>
    <message>
        <source>%1: %2 is missing, but %3 other ranks have it</source>
        <translation>%1：缺少 %2，而另外 %3 个 rank 有</translation>
    </message>
    <message>
        <source>%1: resumable with loss, random numbers start over</source>
        <translation>%1：可续训但有损失，随机数重新开始</translation>
    </message>
    <message>
        <source>%1: the loss scale is 0, so every gradient was overflowing</source>
        <translation>%1：loss scale 为 0：所有梯度都在溢出</translation>
    </message>
    <message>
        <source>, as %1</source>
        <translation>，依据 %1</translation>
    </message>
    <message>
        <source>, like the content of another file</source>
        <translation>，与另一文件的内容相同</translation>
    </message>
    <message>
        <source>: it is a copy from that save, or the weights did not change in between</source>
        <translation>：是那次保存的副本，或其间权重没有变化</translation>
    </message>
    <message>
        <source>: in this run, the other files differ from their names in a different way</source>
        <translation>：在此运行中，其他文件与其名称的差异不同</translation>
    </message>
    <message>
        <source>: one of them is a copy, and the file times do not show which</source>
        <translation>：其中之一是副本，文件时间无法表明是哪个</translation>
    </message>
    <message>
        <source>both %1 and %2 exist: a save of this step was not renamed; check both before you choose</source>
        <translation>%1 和 %2 都存在：此 step 的一次保存没有改名；选用前请检查两者</translation>
    </message>
    <message>
        <source>common.json has %1: it belongs to another run</source>
        <translation>common.json 为 %1：它属于另一次运行</translation>
    </message>
    <message>
        <source>the file names of this step contain a rank and a second number: the files may cover the ranks of only one stage or node</source>
        <translation>此 step 的文件名含 rank 和第二个数字：它们可能只覆盖一个阶段或节点的 rank</translation>
    </message>
    <message>
        <source>from the run %1, whose newest file is dated %2; the current run is %3</source>
        <translation>与最新文件来自不同的运行：%1，最新为 %2；当前运行为 %3</translation>
    </message>
    <message>
        <source>from the run %1, but there are other runs beside it, such as %2: the file times do not show which run is current</source>
        <translation>来自运行 %1，旁边还有其他运行，如 %2：文件时间无法表明哪个是当前运行</translation>
    </message>
    <message>
        <source>health_ckpts.json records %1 as unhealthy because of its embedding norm: MindFormers itself would load an older checkpoint</source>
        <translation>health_ckpts.json 按其嵌入的范数将 %1 记为不健康：MindFormers 自己会加载更旧的</translation>
    </message>
    <message>
        <source>meta.json of rank %1 names %2 as its last complete save: MindFormers itself would not resume from a later save</source>
        <translation>rank %1 的 meta.json 将 %2 记为最后一次完整保存：MindFormers 自己不会从更晚的续训</translation>
    </message>
    <message>
        <source>only the file names show the step; no file records it in its content</source>
        <translation>没有文件的内容表明其 step；只有文件名表明</translation>
    </message>
    <message>
        <source>no known data-parallel groups, so no other rank&apos;s file can replace the missing ones</source>
        <translation>数据并行组未知，因此没有其他 rank 的文件能代替缺失的</translation>
    </message>
    <message>
        <source>no rank in the data-parallel groups of the missing files has a complete file</source>
        <translation>缺失文件所在的数据并行组中没有 rank 有完整的文件</translation>
    </message>
    <message>
        <source>no weights</source>
        <translation>没有权重</translation>
    </message>
    <message>
        <source>nothing marks the end of the file, and there is no other file to compare it with: a truncation between two tensors would go unnoticed</source>
        <translation>文件没有结束标记，也没有可比较的其他文件：两个张量之间的截断不会被发现</translation>
    </message>
    <message>
        <source>belongs to rank %1</source>
        <translation>属于 rank %1</translation>
    </message>
    <message>
        <source>only one file, and nothing in its path names a rank: treated as the file that all %1 ranks load</source>
        <translation>只有一个文件，其路径没有指明 rank：视为全部 %1 个 rank 加载的文件</translation>
    </message>
    <message>
        <source>rank %1 has %2, which was saved as %3: the file was renamed, or is a copy of another rank&apos;s file</source>
        <translation>rank %1 有 %2，它保存时名为 %3：文件被改名，或是另一 rank 的文件的副本</translation>
    </message>
    <message>
        <source>rank %1 has no file; the file of rank %2 is used instead: it has the same parameters%3</source>
        <translation>rank %1 没有文件；改用 rank %2 的文件：参数相同%3</translation>
    </message>
    <message>
        <source>rank %1 has the file of rank %2 through a link: correct only if they are replicas. checkpoints.replica_groups can state that</source>
        <translation>rank %1 通过链接使用 rank %2 的文件：如果它们是副本则正确，可用 checkpoints.replica_groups 说明</translation>
    </message>
    <message>
        <source>ranks were guessed from folder numbers, which may count something else or start at 1; nothing in the files confirms them</source>
        <translation>rank 由文件夹编号推测，编号可能另有含义或从 1 开始；文件中没有内容能确认</translation>
    </message>
    <message>
        <source>saved for evaluation: the training may be unable to continue from it</source>
        <translation>为评估而保存：可能缺少继续训练所需的内容</translation>
    </message>
    <message>
        <source>the directories of several nodes have files for this step: the set may cover only the ranks of one node, or mix several nodes</source>
        <translation>多个节点的目录有此 step 的文件：它们可能只覆盖一个节点的 rank，或混合了多个节点</translation>
    </message>
    <message>
        <source>the file of rank %1</source>
        <translation>rank %1 的文件</translation>
    </message>
    <message>
        <source>the folders beside %1 have files with the same names and times. They may belong to other ranks or to another run: set %2 or the job&apos;s path to show which</source>
        <translation>%1 旁边的文件夹有名称和时间相同的文件。它们可能属于其他 rank 或另一次运行：请设置%2或作业的路径来说明</translation>
    </message>
    <message>
        <source>the name has %1%2, but the content has %3%4%5</source>
        <translation>名称为 %1%2，内容为 %3%4%5</translation>
    </message>
    <message>
        <source>the name has epoch %1, but the content has epoch_num %2</source>
        <translation>名称为 epoch %1，内容为 epoch_num %2</translation>
    </message>
    <message>
        <source>the name has step %1, but the content has %2 %3</source>
        <translation>名称为 step %1，内容为 %2 %3</translation>
    </message>
    <message>
        <source>the name has step %1, but the content has step %2</source>
        <translation>名称为 step %1，内容为 step %2</translation>
    </message>
    <message>
        <source>the ranks have different tensors, as with model parallelism, but no other set confirms that this is correct</source>
        <translation>各 rank 的张量不同（如模型并行），没有其他整组确认这是正确的</translation>
    </message>
    <message>
        <source>the ranks are stages of one pipeline, but %1</source>
        <translation>各 rank 具有同一流水线的层，但 %1</translation>
    </message>
    <message>
        <source>the ranks number their runs differently, and the file times do not show which files belong together</source>
        <translation>各 rank 对其运行的编号不同，时间无法表明哪些文件属于一起</translation>
    </message>
    <message>
        <source>%1 and %2 more tensors are missing here, but are present in all other saves of this run</source>
        <translation>此处缺少 %1 及另外 %2 个张量，而此运行的其他保存都有</translation>
    </message>
    <message>
        <source>%1 has supplied %2 batches at step %3 in the order of a different epoch: it belongs to another save, or the two were exchanged</source>
        <translation>%1 在 step %3 已给出 %2 个批次，顺序属于另一 epoch：它属于另一次保存，或两者被调换</translation>
    </message>
    <message>
        <source>%1 has learning rate %2, but the optimizer uses %3; in other saves they are equal. One of the two belongs to another save or run</source>
        <translation>%1 设置的学习率为 %2，优化器使用 %3；其他保存中两者相等：其中之一属于另一次保存或运行</translation>
    </message>
    <message>
        <source>%1 is missing here, but is present in all other saves of this run</source>
        <translation>此处缺少 %1，而此运行的其他保存都有</translation>
    </message>
    <message>
        <source>other files of this step, such as %2, have the tensors of %1 with different values: it may belong to one rank or another run</source>
        <translation>同一 step 有多个文件具有 %1 的张量而数值不同，如 %2：它可能属于某个 rank 或另一次运行</translation>
    </message>
    <message>
        <source>the name has number %1 and the content step %2, which does not fit the other saves: it may contain files of another save</source>
        <translation>名称中的数字为 %1，内容为 step %2，而其他保存的 step 随数字增大：其中可能有另一次保存的文件</translation>
    </message>
    <message>
        <source>the name has epoch %1, but the content has epoch_num %2: normal for the first save of a resumed run, or a renamed file. The next save of this run will show which</source>
        <translation>名称为 epoch %1，内容为 epoch_num %2：续训后的第一次保存和改名的文件都会这样。此运行的下一次保存会表明是哪种情况</translation>
    </message>
    <message>
        <source>trainer_state.json has different losses (%1) than at %2 (%3), but its weights continue from there: the state belongs to another or a restarted run</source>
        <translation>trainer_state.json 的 loss（%1）与 %2 处（%3）不同，但其权重自那里继续：该状态属于另一次或重新开始的运行</translation>
    </message>
    <message>
        <source>%1%2</source>
        <translation>%1%2</translation>
    </message>
    <message>
        <source> %1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source> It says: %1.</source>
        <translation>它的输出：%1。</translation>
    </message>
    <message>
        <source> The pod is %1.</source>
        <translation>该 pod 为 %1。</translation>
    </message>
    <message>
        <source> kubectl said: %1.</source>
        <translation>kubectl 的输出：%1。</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 Set &quot;transport&quot;: &quot;ssh&quot; for this node in the job file: then %2 is reached through the system&apos;s ssh.</source>
        <translation>%1 请在作业文件中将此节点的 &quot;transport&quot; 设为 &quot;ssh&quot;：之后通过系统的 ssh 到达 %2。</translation>
    </message>
    <message>
        <source>%1 accepted the connection but did not finish the key exchange in time. It hangs, or it is not an ssh server.</source>
        <translation>%1 接受了连接，但没有及时完成密钥交换。它已挂起，或不是 ssh 服务器。</translation>
    </message>
    <message>
        <source>%1 also contains &apos;%2&apos;, although the index does not put it there</source>
        <translation>%1 还含有“%2”，而索引没有将它放在那里</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 和 %2</translation>
    </message>
    <message>
        <source>%1 and %2 have the same tensors with different values: two models in one save, or the parts of two ranks</source>
        <translation>%1 和 %2 的张量相同而数值不同：一次保存中有两个模型，或为两个 rank 的部分</translation>
    </message>
    <message>
        <source>%1 and %2 more shards are not listed in .metadata: left by another save</source>
        <translation>%1 及另外 %2 个分片未列在 .metadata 中：由另一次保存留下</translation>
    </message>
    <message>
        <source>%1 and %2 more weights are zero in the entire sample: saved before they had values, or zeroed by a fault</source>
        <translation>%1 及另外 %2 个权重在整个采样中为零：在数值就绪之前写入，或被故障清空</translation>
    </message>
    <message>
        <source>%1 asked questions sixteen times without finishing the login.</source>
        <translation>%1 提问了十六轮仍未结束。</translation>
    </message>
    <message>
        <source>%1, with %2 steps per epoch</source>
        <translation>%1（每个 epoch %2 步）</translation>
    </message>
    <message>
        <source>%1 begins before %2 ends</source>
        <translation>%1 在 %2 结束之前开始</translation>
    </message>
    <message>
        <source>%1 is not listed in any index of this directory: left by another save</source>
        <translation>%1 不属于此目录的任何索引：由另一次保存留下</translation>
    </message>
    <message>
        <source>%1 cannot be reached</source>
        <translation>无法到达 %1</translation>
    </message>
    <message>
        <source>%1 cannot be read; the private key is needed here or in the ssh-agent</source>
        <translation>无法读取 %1；此处或 ssh-agent 中需要它的私钥部分</translation>
    </message>
    <message>
        <source>%1 changed since it was listed: %2 then, %3 now</source>
        <translation>%1 在列出之后已改变：当时为 %2，现在为 %3</translation>
    </message>
    <message>
        <source>%1 changed while it was read: list the directory again</source>
        <translation>%1 在读取期间已改变：请重新列出目录</translation>
    </message>
    <message>
        <source>%1 contains none of the tensors that metadata.json puts there: it belongs to another rank or another save</source>
        <translation>%1 不含 metadata.json 放在那里的任何张量：它属于另一 rank 或另一次保存</translation>
    </message>
    <message>
        <source>%1 could not be read</source>
        <translation>无法读取 %1</translation>
    </message>
    <message>
        <source>%1 could not be read: %2</source>
        <translation>无法读取 %1：%2</translation>
    </message>
    <message>
        <source>%1 did not answer the request to %2 in time.</source>
        <translation>%1 没有及时应答“%2”的请求。</translation>
    </message>
    <message>
        <source>%1 did not answer the login in time.</source>
        <translation>%1 没有及时应答登录。</translation>
    </message>
    <message>
        <source>%1 did not end in time</source>
        <translation>%1 没有及时结束</translation>
    </message>
    <message>
        <source>%1 does not begin at byte %2 of %3, where .metadata puts it: that part was never written, or belongs to another save</source>
        <translation>%1 没有从 %3 的第 %2 字节开始，而 .metadata 将它放在那里：该部分从未写入，或属于另一次保存</translation>
    </message>
    <message>
        <source>%1 does not contain &apos;%2&apos;, although the index puts it there: a shard from another save</source>
        <translation>%1 不含“%2”，而索引将它放在那里：来自另一次保存的分片</translation>
    </message>
    <message>
        <source>%1 does not end like a complete item</source>
        <translation>%1 的结尾不像完整的条目</translation>
    </message>
    <message>
        <source>%1 does not end like a complete item in %2</source>
        <translation>%1 在 %2 中的结尾不像完整的条目</translation>
    </message>
    <message>
        <source>%1 does not match the same file at %2 (%3, %4): it belongs to another run or rank, or was reset</source>
        <translation>%1 与 %2 的同一文件不相符：%3，%4：它属于另一次运行或另一 rank，或已被重置</translation>
    </message>
    <message>
        <source>%1 ended (%2).</source>
        <translation>%1 已结束（%2）。</translation>
    </message>
    <message>
        <source>%1 ended the connection when asked to %2: %3.</source>
        <translation>%1 在“%2”的请求时断开了连接：%3。</translation>
    </message>
    <message>
        <source>%1 ended the connection before the login: %2. A busy sshd does that (MaxStartups); Rankdeck tries again.</source>
        <translation>%1 在登录之前断开了连接：%2。繁忙的 sshd 会这样（MaxStartups）；Rankdeck 会重试。</translation>
    </message>
    <message>
        <source>%1 ended the connection during the login: %2.</source>
        <translation>%1 在登录期间断开了连接：%2。</translation>
    </message>
    <message>
        <source>%1 ended with exit code %2</source>
        <translation>%1 以退出码 %2 结束</translation>
    </message>
    <message>
        <source>%1 ended with exit code %2: %3</source>
        <translation>%1 以退出码 %2 结束：%3</translation>
    </message>
    <message>
        <source>%1 exists again and is left unchanged; the earlier file is at %2</source>
        <translation>%1 又出现了，保持不变；较早的文件在 %2</translation>
    </message>
    <message>
        <source>%1 exists, but there is no weights file</source>
        <translation>%1 存在，但没有权重文件</translation>
    </message>
    <message>
        <source>%1 files belong to a different number of ranks than %2: left by another save</source>
        <translation>%1 个文件属于与 %2 不同的 rank 数：由另一次保存留下</translation>
    </message>
    <message>
        <source>%1 files belong to ranks beyond the world size of %2</source>
        <translation>%1 个文件属于 %2 以外的 rank</translation>
    </message>
    <message>
        <source>%1 files belong to ranks beyond the %2 × %3 ranks of this save: left by a larger run</source>
        <translation>%1 个文件属于保存时的 %2 × %3 以外的 rank：由更大规模的运行留下</translation>
    </message>
    <message>
        <source>%1 files of single parameters: only their names and sizes were checked</source>
        <translation>%1 个单参数文件：只检查了名称和大小</translation>
    </message>
    <message>
        <source>%1 folders are not among the %2 folders of this checkpoint</source>
        <translation>%1 个文件夹不在属于它的 %2 个之中</translation>
    </message>
    <message>
        <source>%1 of extra data after the end of the checkpoint</source>
        <translation>checkpoint 结束之后还有 %1 多余的数据</translation>
    </message>
    <message>
        <source>%1 has %2 bytes, but .metadata says %3</source>
        <translation>%1 有 %2 字节，而 .metadata 为 %3</translation>
    </message>
    <message>
        <source>%1 has %2 bytes, but its shape %3 needs %4</source>
        <translation>%1 有 %2 字节，但其形状 %3 需要 %4</translation>
    </message>
    <message>
        <source>%1 has %2 bytes, but its shape %3 of %4 needs %5</source>
        <translation>%1 有 %2 字节，但其形状 %3（%4）需要 %5</translation>
    </message>
    <message>
        <source>%1 has %2, but the index accounts for %3</source>
        <translation>%1 有 %2，而索引只计入 %3</translation>
    </message>
    <message>
        <source>%1 has %2, but the index needs %3: %4 short</source>
        <translation>%1 有 %2，而索引需要 %3：缺 %4</translation>
    </message>
    <message>
        <source>%1 has %2, too large for a manifest</source>
        <translation>%1 有 %2：不会有这么大的清单</translation>
    </message>
    <message>
        <source>%1 has 0 bytes</source>
        <translation>%1 有 0 字节</translation>
    </message>
    <message>
        <source>%1 has a bad shape</source>
        <translation>%1 的形状有误</translation>
    </message>
    <message>
        <source>%1 has a file that rank %2 saved, not rank %3</source>
        <translation>%1 的文件由 rank %2 保存，而不是 rank %3</translation>
    </message>
    <message>
        <source>%1 has an impossible shape</source>
        <translation>%1 的形状不可能存在</translation>
    </message>
    <message>
        <source>%1 has bad data_offsets</source>
        <translation>%1 的 data_offsets 有误</translation>
    </message>
    <message>
        <source>%1 has changed since it was judged; plan the resume again</source>
        <translation>%1 在判定之后已改变；请重新计划续训</translation>
    </message>
    <message>
        <source>%1 has counted %2 steps, but the model %3: they come from different saves</source>
        <translation>%1 计为 %2 步，模型为 %3：它们来自不同的保存</translation>
    </message>
    <message>
        <source>%1 has data_offsets that end before they begin</source>
        <translation>%1 的 data_offsets 终点在起点之前</translation>
    </message>
    <message>
        <source>the tensors of %1 differ from those of %2: %3</source>
        <translation>%1 与 %2 的张量不同：%3</translation>
    </message>
    <message>
        <source>the tensors of %1 differ from those in its earlier files</source>
        <translation>%1 的张量与之前不同</translation>
    </message>
    <message>
        <source>%1 has no file for rank %2, but has files for other ranks</source>
        <translation>%1 没有 rank %2 的文件，但有其他 rank 的文件</translation>
    </message>
    <message>
        <source>%1 has the same values as %2, but %3. All pieces of a model should have equally many replicas, so one file may be a copy</source>
        <translation>%1 与 %2 的值相同，而 %3：模型的每一份都有同样多的副本，因此其中一个文件可能是复制的</translation>
    </message>
    <message>
        <source>%1 has the same values as %2, but each should have its own piece: one may be a copy</source>
        <translation>%1 与 %2 数值相同，而它们各有自己的部分：其中之一可能是副本</translation>
    </message>
    <message>
        <source>%1 in %2 does not match its checksum in the index</source>
        <translation>%2 中的 %1 与索引中的校验和不符</translation>
    </message>
    <message>
        <source>%1 in %2 has blocks of zeros among other values: a hole in the file, or values that are correctly zero</source>
        <translation>%2 中的 %1 在其他数值之间有成段的零：空洞，或本应为零的数值</translation>
    </message>
    <message>
        <source>%1 in %2: %3</source>
        <translation>%2 中的 %1：%3</translation>
    </message>
    <message>
        <source>%1 in %2: %3 of %4 sampled values are %5</source>
        <translation>%2 中的 %1：%4 个采样值中有 %3 个为 %5</translation>
    </message>
    <message>
        <source>%1 in this set has %2 %3, but trainer_state.json has step %4: they come from different saves</source>
        <translation>此整组内的 %1 中 %2 为 %3，trainer_state.json 为 step %4：它们来自不同的保存</translation>
    </message>
    <message>
        <source>%1 is a Paddle pickle, which is not read: only its name and size were checked</source>
        <translation>%1 是 Paddle pickle，不予读取：只检查了名称和大小</translation>
    </message>
    <message>
        <source>%1 has an impossible position or size</source>
        <translation>%1 超出任何文件的范围</translation>
    </message>
    <message>
        <source>%1 is in data file %2 (counted from 0), but there are only %3</source>
        <translation>%1 在数据文件 %2 中（从 0 计），而共有 %3 个</translation>
    </message>
    <message>
        <source>%1 is incomplete</source>
        <translation>%1 不完整</translation>
    </message>
    <message>
        <source>%1 is inside a checkpoint for step %2</source>
        <translation>%1 位于 step %2 的 checkpoint 之内</translation>
    </message>
    <message>
        <source>%1 is larger than %2, the limit for such a file</source>
        <translation>%1 大于 %2，对这类文件来说太大</translation>
    </message>
    <message>
        <source>%1 is larger than any file</source>
        <translation>%1 大于任何文件</translation>
    </message>
    <message>
        <source>%1 is missing</source>
        <translation>缺少 %1</translation>
    </message>
    <message>
        <source>%1 is missing, and %2 may be a different file; it is left unchanged</source>
        <translation>缺少 %1，而 %2 处的内容可能是另一文件；它保持不变</translation>
    </message>
    <message>
        <source>%1 is missing: %2</source>
        <translation>缺少 %1：%2</translation>
    </message>
    <message>
        <source>%1 is missing: %2 lists it</source>
        <translation>缺少 %1：%2 中列出了它</translation>
    </message>
    <message>
        <source>%1 is missing: %2 puts %3 tensors into it</source>
        <translation>缺少 %1：%2 将 %3 个张量放在其中</translation>
    </message>
    <message>
        <source>%1 is missing: metadata.json puts parameters into it</source>
        <translation>缺少 %1：metadata.json 将参数放在其中</translation>
    </message>
    <message>
        <source>%1 is missing: the saved arguments require %2 parts</source>
        <translation>缺少 %1：参数给出 %2 个部分</translation>
    </message>
    <message>
        <source>%1 is missing: it contains the data of the database</source>
        <translation>缺少 %1：数据库的数据</translation>
    </message>
    <message>
        <source>%1 is missing, but there are files up to number %2</source>
        <translation>缺少 %1：有 %2 的文件</translation>
    </message>
    <message>
        <source>%1 is missing: without it, the data beside it cannot be found</source>
        <translation>缺少 %1：没有它就无法找到旁边的数据</translation>
    </message>
    <message>
        <source>%1 is newer than .metadata, which is written last: files copied without their times, or a later save that never finished</source>
        <translation>%1 比最后写入的 .metadata 更新：为不保留时间的复制，或之后向此目录的保存未完成</translation>
    </message>
    <message>
        <source>%1 is newer than the index, whose checksum of %2 does not match: a later save under this name never finished</source>
        <translation>%1 比索引更新，索引中 %2 的校验和不符：之后以此名称的保存未完成</translation>
    </message>
    <message>
        <source>%1 is newer than trainer_state.json, which the Trainer writes last: a later save into this directory did not finish, or the files were copied</source>
        <translation>%1 比 Trainer 最后写入的 trainer_state.json 更新：之后向此目录的保存未完成，或文件被复制</translation>
    </message>
    <message>
        <source>%1 is not a V1 checkpoint table</source>
        <translation>%1 不是 V1 checkpoint 表</translation>
    </message>
    <message>
        <source>%1 is not a certificate for %2</source>
        <translation>%1 不是 %2 的证书</translation>
    </message>
    <message>
        <source>%1 is not a private key that libssh can read</source>
        <translation>%1 不是 libssh 能读取的私钥</translation>
    </message>
    <message>
        <source>%1 is not a regular file, so no host key can be stored there. Set a different UserKnownHostsFile.</source>
        <translation>%1 不是普通文件，因此无法在那里保存主机密钥。请设置另一个 UserKnownHostsFile。</translation>
    </message>
    <message>
        <source>%1 is not an object</source>
        <translation>%1 不是对象</translation>
    </message>
    <message>
        <source>%1 is not listed in .metadata: left by another save</source>
        <translation>%1 未列在 .metadata 中：由另一次保存留下</translation>
    </message>
    <message>
        <source>%1 is not named like a Megatron iteration (iter_0000100): Megatron will not find it</source>
        <translation>%1 的名称不是 Megatron 迭代的格式（iter_0000100）：Megatron 不会找到它</translation>
    </message>
    <message>
        <source>%1 is only a part of a set: it was left by an interrupted keep.</source>
        <translation>%1 是整组的一部分，由被中断的保留操作留下。</translation>
    </message>
    <message>
        <source>%1 is protected by a passphrase: run &quot;ssh-add %2&quot; first</source>
        <translation>%1 受密码短语保护：请先运行“ssh-add %2”</translation>
    </message>
    <message>
        <source>%1 is signed by a certificate authority (%2), which libssh cannot verify. Set &quot;transport&quot;: &quot;ssh&quot; for this node in the job file.</source>
        <translation>%1 由证书颁发机构（%2）签名，libssh 无法验证。请在作业文件中将此节点的 &quot;transport&quot; 设为 &quot;ssh&quot;。</translation>
    </message>
    <message>
        <source>%1 is truncated, or lists no shards</source>
        <translation>%1 被截断，或没有列出分片</translation>
    </message>
    <message>
        <source>%1 is zero in the entire sample: saved before it had values, or zeroed by a fault</source>
        <translation>%1 在整个采样中为零：在数值就绪之前写入，或被故障清空</translation>
    </message>
    <message>
        <source>%1 lacks dtype, shape or data_offsets</source>
        <translation>%1 缺少 dtype、shape 或 data_offsets</translation>
    </message>
    <message>
        <source>%1 matches fewer other ranks</source>
        <translation>与 %1 相同的其他 rank 较少</translation>
    </message>
    <message>
        <source>%1 matches no other rank</source>
        <translation>没有其他 rank 与 %1 相同</translation>
    </message>
    <message>
        <source>Other users can write to %1, and its content can run programs here. Remove their write permission (chmod go-w), or use your own copy.</source>
        <translation>%1 可被他人写入，而其内容能在此处运行程序。请去掉他人的写权限（chmod go-w），或使用您自己的副本。</translation>
    </message>
    <message>
        <source>%1 longer than its header describes</source>
        <translation>比其头部所描述的多 %1</translation>
    </message>
    <message>
        <source>%1 longer than its storages need</source>
        <translation>比其 storage 所需的多 %1</translation>
    </message>
    <message>
        <source>%1 names %2, but the pipeline has no such folder</source>
        <translation>%1 指明 %2，但 pipeline 没有该文件夹</translation>
    </message>
    <message>
        <source>%1 names %2, which is not the name of a file in its directory</source>
        <translation>%1 指明 %2，它不是其目录中文件的名称</translation>
    </message>
    <message>
        <source>%1 of %2 files (first: %3) were written %4 minutes after the others: copied, or overwritten by a later save of the same step</source>
        <translation>%2 个文件中有 %1 个（首先是 %3）比其余的晚 %4 分钟写入：被复制，或被之后同一 step 的保存覆盖</translation>
    </message>
    <message>
        <source>only %1 of %2 optimizer second moments are of similar size</source>
        <translation>其优化器的 %2 个二阶矩中有 %1 个大小相近</translation>
    </message>
    <message>
        <source>only %1 of %2 weight signs agree</source>
        <translation>其权重的 %2 个符号中有 %1 个一致</translation>
    </message>
    <message>
        <source>%1 of %2 storages are missing (first: data/%3): the save ended with an exception</source>
        <translation>缺少 %2 个 storage 中的 %1 个（首先是 data/%3）：保存因异常结束</translation>
    </message>
    <message>
        <source>%1 of unknown data follow the last complete record, from byte %2</source>
        <translation>最后一条完整记录之后，第 %2 字节处有 %1 的其他内容</translation>
    </message>
    <message>
        <source>%1 of zeros follow the last complete record, from byte %2</source>
        <translation>最后一条完整记录之后，第 %2 字节处有 %1 的零</translation>
    </message>
    <message>
        <source>%1 on node %2: expected %3, but the file ends at byte %4</source>
        <translation>节点 %2 上的 %1 应为 %3，实际在 %4 处结束</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1 或 %2</translation>
    </message>
    <message>
        <source>%1 refused the login: %2. Run &quot;ssh %3&quot; by hand to see what is missing.</source>
        <translation>%1 拒绝了登录：%2。手动运行“ssh %3”会显示缺少什么。</translation>
    </message>
    <message>
        <source>%1 refused to %2: %3. %4</source>
        <translation>%1 拒绝了“%2”的请求：%3。%4</translation>
    </message>
    <message>
        <source>%1 has %2 %3, but another shard has %4</source>
        <translation>%1 的 %2 为 %3，而另一分片为 %4</translation>
    </message>
    <message>
        <source>%1 has %2 %3, but the others have %4</source>
        <translation>%1 的 %2 为 %3，其余为 %4</translation>
    </message>
    <message>
        <source>%1 records %2 bytes of tensors, but the shards have %3</source>
        <translation>%1 记为 %2 字节的张量，而分片有 %3</translation>
    </message>
    <message>
        <source>%1 records CRC-32 %2, but its content has %3</source>
        <translation>%1 记为 CRC-32 %2，其字节为 %3</translation>
    </message>
    <message>
        <source>%1 is of step %2, but %3 is of step %4: the parts come from different saves</source>
        <translation>%1 为 step %2，%3 为 %4：部分来自不同的保存</translation>
    </message>
    <message>
        <source>%1 short: its storages need %2 bytes</source>
        <translation>缺 %1：其 storage 需要 %2 字节</translation>
    </message>
    <message>
        <source>%1 short: the header describes %2 bytes</source>
        <translation>缺 %1：头部描述了 %2 字节</translation>
    </message>
    <message>
        <source>%1 shows a host key that changes from one connection to the next. Do not connect.</source>
        <translation>%1 显示的主机密钥每次连接都不同。请勿连接。</translation>
    </message>
    <message>
        <source>%1 was changed by another process and is left unchanged</source>
        <translation>%1 已被另一进程改变，保持不变</translation>
    </message>
    <message>
        <source>%1 was saved as %2: the file was renamed, or is a copy of another rank&apos;s file</source>
        <translation>%1 保存时名为 %2：文件被改名，或是另一 rank 的文件的副本</translation>
    </message>
    <message>
        <source>%1 was written %2 hours before the other files: it belongs to another save or another run</source>
        <translation>%1 比其他文件早 %2 小时写入：它属于另一次保存或另一次运行</translation>
    </message>
    <message>
        <source>%1 was written %2 hours before the other shards: it belongs to another save or another run</source>
        <translation>%1 比其他分片早 %2 小时写入：它属于另一次保存或另一次运行</translation>
    </message>
    <message>
        <source>%1, and %2 parts have layers %3, but only %4 parts have the other layers</source>
        <translation>%1，而 %2 个部分有 %3，只有 %4 个有其他层</translation>
    </message>
    <message>
        <source>%1, nor %2 more processes</source>
        <translation>%1，另有 %2 个也不能</translation>
    </message>
    <message>
        <source>%1: at least %2 are missing</source>
        <translation>%1，至少缺 %2</translation>
    </message>
    <message>
        <source>%1, or the optimizer was reset</source>
        <translation>%1，或优化器被重置</translation>
    </message>
    <message>
        <source>%1/%2 is missing</source>
        <translation>缺少 %1/%2</translation>
    </message>
    <message>
        <source>%1/distrib_optim.pt%2 is missing: without it only the weights can be loaded</source>
        <translation>缺少 %1/distrib_optim.pt%2：没有它只能加载权重</translation>
    </message>
    <message>
        <source>%1: %2 holds more than %3 entries, so the list of a kept set may be incomplete: check there by hand.</source>
        <translation>%1：%2 含有超过 %3 个条目，因此保留整组的列表可能不完整：请在那里手动检查。</translation>
    </message>
    <message>
        <source>%1: %2 of %3 sampled values are %4</source>
        <translation>%1：%3 个采样值中有 %2 个为 %4</translation>
    </message>
    <message>
        <source>%1: %2 of %3 values are %4</source>
        <translation>%1：%3 个数值中有 %2 个为 %4</translation>
    </message>
    <message>
        <source>%1 has %2 of zeros at byte %3 of its data, among other values: a hole in the file, or values that are correctly zero</source>
        <translation>%1：在其第 %3 字节处，其他数值之间有 %2 的零：空洞，或本应为零的数值</translation>
    </message>
    <message>
        <source>%1: %2; plan the resume again</source>
        <translation>%1：%2；请重新计划续训</translation>
    </message>
    <message>
        <source>%1: a shard from another save</source>
        <translation>%1：来自另一次保存的分片</translation>
    </message>
    <message>
        <source>%1: a shard from another save, or a layer that was frozen</source>
        <translation>%1：来自另一次保存的分片，或被冻结的层</translation>
    </message>
    <message>
        <source>%1: expected a regular expression in RE2 syntax, found %2 in &quot;%3&quot;. Correct the pattern in the job file.</source>
        <translation>%1：应为 RE2 语法的正则表达式，“%3”中有 %2。请更正作业文件中的模式。</translation>
    </message>
    <message>
        <source>%1: expected at least one of the groups %2, found none in &quot;%3&quot;. Name the groups that Rankdeck needs in the pattern.</source>
        <translation>%1：应至少有组 %2 中的一个，“%3”中一个也没有。请在模式中命名 Rankdeck 所需的组。</translation>
    </message>
    <message>
        <source>%1: expected fewer than %2 groups, found %3. Use (?:…) for groups that have no name.</source>
        <translation>%1：应少于 %2 个组，实为 %3 个。没有名称的组请使用 (?:…)。</translation>
    </message>
    <message>
        <source>%1: expected the owner to be user %2, found user %3, so Rankdeck does not trust it. Set a different directory with --state-dir, or correct the owner</source>
        <translation>%1：应属于用户 %2，实属用户 %3；Rankdeck 不信任它。请用 --state-dir 设置另一目录，或更正所有者</translation>
    </message>
    <message>
        <source>%1: expected write permission only for its owner, but its group or others have it too. Remove that permission (chmod go-w), then try again</source>
        <translation>%1：应只有所有者可写，实际其组或其他用户也可写；请去掉该权限（chmod go-w），然后重试</translation>
    </message>
    <message>
        <source>%1: expected the group %2, found no group with that name in &quot;%3&quot;. Add it to the pattern.</source>
        <translation>%1：应有组 %2，“%3”中没有该名称的组。请将它加入模式。</translation>
    </message>
    <message>
        <source>%1: its optimizer has counted %2 steps, but the model belongs to iteration %3</source>
        <translation>%1：其优化器计为 %2 步，而模型属于迭代 %3</translation>
    </message>
    <message>
        <source>%1: more than 500,000 checksums in one request.</source>
        <translation>%1：一次请求中超过 500,000 个校验和。</translation>
    </message>
    <message>
        <source>%1: only the names and sizes of its shards were checked</source>
        <translation>%1：只检查了其分片的名称和大小</translation>
    </message>
    <message>
        <source>%1:1: expected an object with rankdeck, name and nodes, found %2</source>
        <translation>%1:1：应为含 rankdeck、name 和 nodes 的对象，实为 %2</translation>
    </message>
    <message>
        <source>%1; and %2 more records</source>
        <translation>%1；以及另外 %2 条记录</translation>
    </message>
    <message>
        <source>&apos;%1&apos; begins at byte %2 of the data, but the tensor before it ends at %3: there is a gap</source>
        <translation>“%1”从数据的第 %2 字节开始，而前一个在 %3 结束：有间隙</translation>
    </message>
    <message>
        <source>&apos;%1&apos; begins at byte %2 of the data, but the tensor before it ends at %3: they overlap</source>
        <translation>“%1”从数据的第 %2 字节开始，而前一个在 %3 结束：重叠</translation>
    </message>
    <message>
        <source>&apos;%1&apos; contains Python objects, which numpy.load would unpickle</source>
        <translation>“%1”含有 Python 对象，numpy.load 会对其 unpickle</translation>
    </message>
    <message>
        <source>&apos;%1&apos; contains no tensor</source>
        <translation>“%1”不含张量</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has no complete array data</source>
        <translation>“%1”没有其数组的字节</translation>
    </message>
    <message>
        <source>&apos;%1&apos; exists twice, as if two files had been joined</source>
        <translation>“%1”出现两次：两个文件合成了一个</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has %2 bytes, but its shape %3 of %4 needs %5</source>
        <translation>“%1”有 %2 字节，但其形状 %3（%4）需要 %5</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has %2 bytes, but its shape needs %3</source>
        <translation>“%1”有 %2 字节，但其形状需要 %3</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has no content</source>
        <translation>“%1”没有内容</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has no shape</source>
        <translation>“%1”没有形状</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has no type</source>
        <translation>“%1”没有类型</translation>
    </message>
    <message>
        <source>&apos;%1&apos; holds %2 bytes, but its shape %3 of %4 %5</source>
        <translation>“%1”有 %2 字节，但其形状 %3（%4）%5</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is larger than the file</source>
        <translation>“%1”大于该文件</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not an array</source>
        <translation>“%1”不是数组</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not at the offset given in the directory</source>
        <translation>“%1”不在目录所给的偏移处</translation>
    </message>
    <message>
        <source>--%1: expected %2, found %3</source>
        <translation>--%1：应为 %2，实为 %3</translation>
    </message>
    <message>
        <source>.metadata contains %1, which torch.distributed.checkpoint would run</source>
        <translation>.metadata 含有 %1，torch.distributed.checkpoint 会运行它</translation>
    </message>
    <message>
        <source>.metadata could not be read: %1</source>
        <translation>无法读取 .metadata：%1</translation>
    </message>
    <message>
        <source>.metadata has %1, more than the limit of %2</source>
        <translation>.metadata 有 %1，最多读取 %2</translation>
    </message>
    <message>
        <source>.metadata lists no files</source>
        <translation>.metadata 没有列出文件</translation>
    </message>
    <message>
        <source>.metadata was written by Python 3.13 or newer: an older interpreter cannot read it</source>
        <translation>.metadata 由 Python 3.13 或更新版本写出：较旧的解释器无法读取</translation>
    </message>
    <message>
        <source>.metadata: %1</source>
        <translation>.metadata：%1</translation>
    </message>
    <message>
        <source>1, the version of the job file</source>
        <translation>1，即作业文件的版本</translation>
    </message>
    <message>
        <source>A launch needs a program, and no part of it may contain a zero byte.</source>
        <translation>启动需要程序，且其任何部分都不得含有零字节。</translation>
    </message>
    <message>
        <source>A launch that claims a job must name its action.</source>
        <translation>占用作业的启动须指明其操作。</translation>
    </message>
    <message>
        <source>A piece of %1 is longer than 8 MiB.</source>
        <translation>%1 的一段超过 8 MiB。</translation>
    </message>
    <message>
        <source>A range of %1 is longer than 8 MiB.</source>
        <translation>%1 的一个范围超过 8 MiB。</translation>
    </message>
    <message>
        <source>A reservation must name its action.</source>
        <translation>占用须指明其操作。</translation>
    </message>
    <message>
        <source>A resume is running; there is no stop to cancel</source>
        <translation>续训正在进行；没有可取消的停止</translation>
    </message>
    <message>
        <source>A row of the history is damaged: its bytes do not contain the samples that it claims.</source>
        <translation>历史的一行已损坏：其字节不含它声明的样本。</translation>
    </message>
    <message>
        <source>Another action is running; wait for its outcome or cancel it</source>
        <translation>另一操作正在进行；请等待其结果，或取消它</translation>
    </message>
    <message>
        <source>Another console writes the history of this job (%1): this console only shows it. Close the other console, or use a different --state-dir.</source>
        <translation>另一控制台在写入此作业的历史（%1）：此控制台只显示它。请关闭另一控制台，或使用另一个 --state-dir。</translation>
    </message>
    <message>
        <source>Bytes of %1 can only be changed in a copy, byte for byte.</source>
        <translation>%1 的字节只能在副本中逐字节更改。</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>Cancelled; the loading process was ended</source>
        <translation>已取消；加载进程已结束</translation>
    </message>
    <message>
        <source>Cannot create a socket pair: %1. Close some connections or raise the limit of open files.</source>
        <translation>无法创建套接字对：%1。请关闭一些连接，或提高打开文件数的限制。</translation>
    </message>
    <message>
        <source>Cannot create more pipes; close some connections.</source>
        <translation>无法再创建管道；请关闭一些连接。</translation>
    </message>
    <message>
        <source>Cannot list %1: %2</source>
        <translation>无法列出 %1：%2</translation>
    </message>
    <message>
        <source>Cannot read %1: %2</source>
        <translation>无法读取 %1：%2</translation>
    </message>
    <message>
        <source>Cannot read %1: expected a file, found a directory</source>
        <translation>无法读取 %1：应为文件，实为目录</translation>
    </message>
    <message>
        <source>ConfigMap %1: expected JSON under DeviceInfoCfg, found &quot;%2&quot;</source>
        <translation>ConfigMap %1：DeviceInfoCfg 下应为 JSON，实为“%2”</translation>
    </message>
    <message>
        <source>Connected, but the probe did not start within %1. Check that a login there can run commands, and python3.</source>
        <translation>已连接，但探针没有在 %1 内启动。请检查在那里登录后能否运行命令，以及 python3。</translation>
    </message>
    <message>
        <source>Found no free name for the job file in %1: there are already %2 job files named %3. Remove some of them.</source>
        <translation>%1 中应有作业文件的空闲名称，实有 %2 个 %3；请删除那里的一些作业文件。</translation>
    </message>
    <message>
        <source>Expected hostname, user and port in the output of &quot;ssh -G %1&quot;, found other text. Run the command by hand to see it.</source>
        <translation>“ssh -G %1”的输出中应有 hostname、user 和 port，实为其他文本。请手动运行该命令查看。</translation>
    </message>
    <message>
        <source>Forwarding is disabled on the jump host %1 for %2: its administrator must allow it (AllowTcpForwarding, PermitOpen).</source>
        <translation>跳板机 %1 禁止向 %2 转发：须由其管理员允许（AllowTcpForwarding、PermitOpen）。</translation>
    </message>
    <message>
        <source>Keras weights (HDF5)</source>
        <translation>Keras 权重（HDF5）</translation>
    </message>
    <message>
        <source>MXNet parameters</source>
        <translation>MXNet 参数</translation>
    </message>
    <message>
        <source>No answer came in time.</source>
        <translation>没有及时收到应答。</translation>
    </message>
    <message>
        <source>No connection to %1: %2. %3.</source>
        <translation>无法连接到 %1：%2。%3。</translation>
    </message>
    <message>
        <source>No file of set %1 was found.</source>
        <translation>没有已知的整组 %1 的文件。</translation>
    </message>
    <message>
        <source>No memory for a channel through %1.</source>
        <translation>没有内存用于通过 %1 的通道。</translation>
    </message>
    <message>
        <source>No memory for a channel.</source>
        <translation>没有内存用于通道。</translation>
    </message>
    <message>
        <source>No memory for another connection.</source>
        <translation>没有内存用于另一个连接。</translation>
    </message>
    <message>
        <source>No more files can be opened. Raise the limit of open files.</source>
        <translation>无法再打开文件。请提高打开文件数的限制。</translation>
    </message>
    <message>
        <source>No program was named.</source>
        <translation>没有指明程序。</translation>
    </message>
    <message>
        <source>No python3 of version 3.6 or newer was found on the relay %1; the relay needs nothing else. The relay said: %2</source>
        <translation>在中继 %1 上没有找到 3.6 或更新版本的 python3；中继不需要其他任何东西。中继的输出：%2</translation>
    </message>
    <message>
        <source>Node %1 is %2, not live. No request was sent to it; try again when it is live.</source>
        <translation>节点 %1 的状态为 %2，不在线。没有向它发送请求；请在它在线时重试。</translation>
    </message>
    <message>
        <source>Node %1 is %2, not live: %3 No request was sent to it; try again when it is live.</source>
        <translation>节点 %1 的状态为 %2，不在线：%3 没有向它发送请求；请在它在线时重试。</translation>
    </message>
    <message>
        <source>The set was not kept: %1. Free some space there.</source>
        <translation>没有保留整组：%1。请在那里腾出空间。</translation>
    </message>
    <message>
        <source>The set was not kept: %1. Try again.</source>
        <translation>没有保留整组：%1。请重试。</translation>
    </message>
    <message>
        <source>No data was read from %1</source>
        <translation>没有从 %1 读到任何内容</translation>
    </message>
    <message>
        <source>Process %1 may not be signalled.</source>
        <translation>不允许向进程 %1 发信号。</translation>
    </message>
    <message>
        <source>ProxyJump in the ssh config forms a loop: %1 is reached through itself. Correct the ssh config.</source>
        <translation>ssh 配置中的 ProxyJump 形成循环：%1 要通过它自己到达。请更正。</translation>
    </message>
    <message>
        <source>Rank %1 is not on a connected node</source>
        <translation>rank %1 不在已连接的节点上</translation>
    </message>
    <message>
        <source>Set %1 has a name that is not a valid directory name.</source>
        <translation>整组 %1 的名称不是有效的目录名。</translation>
    </message>
    <message>
        <source>Set %1 has no file for rank %2</source>
        <translation>整组 %1 没有 rank %2 的文件</translation>
    </message>
    <message>
        <source>Set %1 is %2. Expected a complete set; a set that cannot be resumed is not worth keeping.</source>
        <translation>整组 %1 为%2。应为完整的整组；无法续训的整组不值得保留。</translation>
    </message>
    <message>
        <source>Set %1 is %2: %3. Expected a complete set; a set that cannot be resumed is not worth keeping.</source>
        <translation>整组 %1 为%2：%3。应为完整的整组；无法续训的整组不值得保留。</translation>
    </message>
    <message>
        <source>Several pods match %1, and any of them may be this node; correct nodes[].host in the job file, or end the wrong pods. Rankdeck searches again: %2.</source>
        <translation>有多个 pod 符合 %1，其中任何一个都可能是此节点；请更正作业文件中的 nodes[].host，或结束错误的 pod。Rankdeck 会再次查找：%2。</translation>
    </message>
    <message>
        <source>Slurm does not know this job; it ended some time ago, or never existed.</source>
        <translation>Slurm 不认识该作业；它已结束一段时间，或从未存在。</translation>
    </message>
    <message>
        <source>Slurm job unknown: no rank&apos;s environment contains its id, and no job of this login is named %1….</source>
        <translation>Slurm 作业未知：没有 rank 的环境含有其 id，此登录也没有名为 %1… 的作业。</translation>
    </message>
    <message>
        <source>The %1 cannot be read. kubectl said: %2.</source>
        <translation>无法读取 %1。kubectl 的输出：%2。</translation>
    </message>
    <message>
        <source>The %1 cannot be read: the cluster does not report such objects to kubectl, which may be temporary. kubectl said: %2.</source>
        <translation>无法读取 %1：集群没有向 kubectl 报告此类对象，这可能是暂时的。kubectl 的输出：%2。</translation>
    </message>
    <message>
        <source>The %1 has ended.%2 Its files can be read only through another pod or host that mounts them.</source>
        <translation>%1 已结束。%2其文件只能通过挂载它们的另一 pod 或主机读取。</translation>
    </message>
    <message>
        <source>The %1 has no container &quot;%2&quot;; correct nodes[].host in the job file. kubectl said: %3.</source>
        <translation>%1 没有容器“%2”；请更正作业文件中的 nodes[].host。kubectl 的输出：%3。</translation>
    </message>
    <message>
        <source>The %1 is empty or contains a zero byte.</source>
        <translation>%1 为空或含有零字节。</translation>
    </message>
    <message>
        <source>The %1 is not running.%2 Rankdeck searches again.</source>
        <translation>%1 没有在运行。%2Rankdeck 会再次查找。</translation>
    </message>
    <message>
        <source>The answer is larger than 8 MiB.</source>
        <translation>应答超过 8 MiB。</translation>
    </message>
    <message>
        <source>The connection to %1 ended (%2).</source>
        <translation>到 %1 的连接已结束（%2）。</translation>
    </message>
    <message>
        <source>The connection to %1 ended before the answer arrived. Cannot tell whether the request was carried out; check before you repeat it.</source>
        <translation>到 %1 的连接在应答到达之前结束。无法得知操作是否已完成；请检查之后再重复。</translation>
    </message>
    <message>
        <source>The connection to %1 ended before the answer arrived: %2 Cannot tell whether the request was carried out; check before you repeat it.</source>
        <translation>到 %1 的连接在应答到达之前结束：%2 无法得知操作是否已完成；请检查之后再重复。</translation>
    </message>
    <message>
        <source>The connection to %1 ended without a message from kubectl: %2</source>
        <translation>到 %1 的连接已结束，kubectl 没有给出消息：%2</translation>
    </message>
    <message>
        <source>The connection to %1 ended.</source>
        <translation>到 %1 的连接已结束。</translation>
    </message>
    <message>
        <source>The connection to %1 ended. kubectl said: %2.</source>
        <translation>到 %1 的连接已结束。kubectl 的输出：%2。</translation>
    </message>
    <message>
        <source>The connection to %1 ended.%2%3</source>
        <translation>到 %1 的连接已结束。%2%3</translation>
    </message>
    <message>
        <source>The connection to %1 through ssh ended: %2.</source>
        <translation>通过 ssh 到 %1 的连接已结束：%2。</translation>
    </message>
    <message>
        <source>The console is closing</source>
        <translation>控制台正在关闭</translation>
    </message>
    <message>
        <source>The container of %1 is not running.%2 Rankdeck searches again.</source>
        <translation>%1 的容器没有在运行。%2Rankdeck 会再次查找。</translation>
    </message>
    <message>
        <source>The history %1 cannot be used: %2.</source>
        <translation>无法使用历史 %1：%2。</translation>
    </message>
    <message>
        <source>The history %1 cannot be written: %2. Check who owns the directory, or use a different --state-dir.</source>
        <translation>无法写入历史 %1：%2。请检查目录属于谁，或使用另一个 --state-dir。</translation>
    </message>
    <message>
        <source>The history %1 cannot grow: the disk is full. Free some space; nothing is lost until the console ends.</source>
        <translation>历史 %1 无法增长：磁盘已满。请腾出空间；在控制台结束之前不会丢失任何内容。</translation>
    </message>
    <message>
        <source>The history %1 is damaged and could not be renamed: %2. Move it away, or use a different --state-dir.</source>
        <translation>历史 %1 已损坏，且无法改名：%2。请将它移走，或使用另一个 --state-dir。</translation>
    </message>
    <message>
        <source>The history %1 is damaged.</source>
        <translation>历史 %1 已损坏。</translation>
    </message>
    <message>
        <source>The history %1 is damaged: %2.</source>
        <translation>历史 %1 已损坏：%2。</translation>
    </message>
    <message>
        <source>The history %1 is in use by another program. Close that program, or use a different --state-dir.</source>
        <translation>历史 %1 正被另一程序使用。请关闭该程序，或使用另一个 --state-dir。</translation>
    </message>
    <message>
        <source>The history %1 was written by a newer version (schema %2, this version knows %3). Update this program, or use a different --state-dir.</source>
        <translation>历史 %1 由更新的版本写出（schema %2，此版本只认识 %3）。请更新此程序，或使用另一个 --state-dir。</translation>
    </message>
    <message>
        <source>The history must be loaded before it is written.</source>
        <translation>写入历史之前须先加载它。</translation>
    </message>
    <message>
        <source>The host key of %1 (%2) was not accepted. Try again when you have compared the key.</source>
        <translation>%1（%2）的主机密钥未被接受。请在核对密钥之后重试。</translation>
    </message>
    <message>
        <source>The host key of %1 is REVOKED: found %2, revoked in %3. Do not connect; ask the administrator for the new key.</source>
        <translation>%1 的主机密钥已被吊销：实为 %2，在 %3 中吊销。请勿连接；请向管理员索取新密钥。</translation>
    </message>
    <message>
        <source>The host key of %1%2: expected %3 (%4), found %5. Somebody may be listening in, or the machine was reinstalled. Only if its administrator confirms the new key, remove the old one with: ssh-keygen -f %6 -R %7</source>
        <translation>%1 的主机密钥%2：应为 %3（%4），实为 %5。可能有人在监听，或该机器已重装。仅当其管理员确认新密钥时，才可用以下命令删除旧密钥：ssh-keygen -f %6 -R %7</translation>
    </message>
    <message>
        <source>The image of %1 has no /bin/sh; Rankdeck needs /bin/sh and python3 in the image.</source>
        <translation>%1 的镜像没有 /bin/sh；Rankdeck 需要它以及其中的 python3。</translation>
    </message>
    <message>
        <source>The image of %1 has no /bin/sh; Rankdeck needs /bin/sh and python3 in the image. kubectl said: %2.</source>
        <translation>%1 的镜像没有 /bin/sh；Rankdeck 需要它以及其中的 python3。kubectl 的输出：%2。</translation>
    </message>
    <message>
        <source>The interpreter &quot;%1&quot; contains characters other than letters, digits and ._/+@-; use a plain path, or a link to it.</source>
        <translation>解释器“%1”含有字母、数字和 ._/+@- 以外的字符；请使用普通路径，或指向它的链接。</translation>
    </message>
    <message>
        <source>The journal %1 is larger than %2, so it cannot be read: move it away, then try again.</source>
        <translation>操作记录 %1 大于 %2，因此无法读取：请将它移走，然后重试。</translation>
    </message>
    <message>
        <source>The jump host %1 cannot reach %2: %3.</source>
        <translation>跳板机 %1 无法到达 %2：%3。</translation>
    </message>
    <message>
        <source>The jump host %1 did not reach %2:%3 in time. That machine is off, or a firewall is between the two hosts.</source>
        <translation>跳板机 %1 没有及时到达 %2（端口 %3）。该机器已关机，或两台主机之间有防火墙。</translation>
    </message>
    <message>
        <source>The jump host %1 is gone: %2.</source>
        <translation>跳板机 %1 已断开：%2。</translation>
    </message>
    <message>
        <source>The stored checkpoint report cannot be read; it will be rebuilt at the next connection</source>
        <translation>无法读取保留的 checkpoint 报告；下次连接时会重建</translation>
    </message>
    <message>
        <source>The known hosts in %1 cannot be read (%2), so a revoked key would go unnoticed. Make the file readable or remove it.</source>
        <translation>无法读取 %1 中的已知主机（%2），因此无法发现被吊销的密钥。请使该文件可读，或删除它。</translation>
    </message>
    <message>
        <source>The list of processes to signal is empty</source>
        <translation>要发信号的进程列表为空</translation>
    </message>
    <message>
        <source>The login question of %1 was not answered, so the login was cancelled. Try again when you are ready.</source>
        <translation>%1 的登录没有得到应答，因此已取消。请在准备好之后重试。</translation>
    </message>
    <message>
        <source>The login printed more than 1 MiB before the probe could start. Make its start-up files silent for logins without a terminal.</source>
        <translation>登录在探针启动之前输出了超过 1 MiB。请使其启动文件在没有终端的登录时不输出。</translation>
    </message>
    <message>
        <source>The name %1 cannot be resolved: %2. Check HostName in the ssh config and the network.</source>
        <translation>无法解析名称 %1：%2。请检查 ssh 配置中的 HostName 和网络。</translation>
    </message>
    <message>
        <source>The node returned no data</source>
        <translation>节点没有返回数据</translation>
    </message>
    <message>
        <source>The node returned nothing</source>
        <translation>节点什么也没有返回</translation>
    </message>
    <message>
        <source>The node returned nothing about %1</source>
        <translation>节点没有返回关于 %1 的任何内容</translation>
    </message>
    <message>
        <source>The paths to follow on one node do not fit into 16 MiB.</source>
        <translation>一个节点上要跟踪的路径超过 16 MiB。</translation>
    </message>
    <message>
        <source>The probe reported more files in one directory than allowed.</source>
        <translation>探针报告的一个目录中的文件超过允许的数量。</translation>
    </message>
    <message>
        <source>The probe sent %1; the connection is closed.</source>
        <translation>探针发来 %1；连接已关闭。</translation>
    </message>
    <message>
        <source>The probe sent a compressed frame that cannot be unpacked.</source>
        <translation>探针发来无法解压的压缩帧。</translation>
    </message>
    <message>
        <source>The probe sent bytes that are not a frame; the connection is closed.</source>
        <translation>探针发来的字节不是帧；连接已关闭。</translation>
    </message>
    <message>
        <source>The probe&apos;s %1 cannot be read; the connection is closed.</source>
        <translation>无法读取探针的 %1；连接已关闭。</translation>
    </message>
    <message>
        <source>The program &quot;%1&quot; could not be started (%2). Install the OpenSSH client.</source>
        <translation>无法启动程序“%1”（%2）。请安装 OpenSSH 客户端。</translation>
    </message>
    <message>
        <source>The relay %1 did not reach %2: %3.</source>
        <translation>中继 %1 没有到达 %2：%3。</translation>
    </message>
    <message>
        <source>The relay %1 is gone: %2</source>
        <translation>中继 %1 已断开：%2</translation>
    </message>
    <message>
        <source>The relay sent %1.</source>
        <translation>中继发来 %1。</translation>
    </message>
    <message>
        <source>The request is longer than 16 MiB; request less at once.</source>
        <translation>请求超过 16 MiB；请一次少请求一些。</translation>
    </message>
    <message>
        <source>The server showed no host key.</source>
        <translation>服务器没有给出主机密钥。</translation>
    </message>
    <message>
        <source>The server&apos;s host key cannot be read.</source>
        <translation>无法读取服务器的主机密钥。</translation>
    </message>
    <message>
        <source>The session opened by the relay %1 ended (%2).</source>
        <translation>中继 %1 打开的会话已结束（%2）。</translation>
    </message>
    <message>
        <source>Other users can write to the ssh config %1, and its content can run programs here (Match exec, ProxyCommand). Remove their write permission (chmod go-w), or use your own copy.</source>
        <translation>ssh 配置 %1 可被他人写入，而其内容能在此处运行程序（Match exec、ProxyCommand）。请去掉他人的写权限（chmod go-w），或使用您自己的副本。</translation>
    </message>
    <message>
        <source>The ssh config has %1 for %2, which only ssh itself can check. Set &quot;transport&quot;: &quot;ssh&quot; for this node in the job file.</source>
        <translation>ssh 配置对 %2 设置了 %1，只有 ssh 自己能检查它。请在作业文件中将此节点的 &quot;transport&quot; 设为 &quot;ssh&quot;。</translation>
    </message>
    <message>
        <source>The ssh config has a ProxyCommand for %1, which only ssh itself runs. Set &quot;transport&quot;: &quot;ssh&quot; for this node in the job file, or use ProxyJump.</source>
        <translation>ssh 配置对 %1 设置了 ProxyCommand，只有 ssh 自己会运行它。请在作业文件中将此节点的 &quot;transport&quot; 设为 &quot;ssh&quot;，或使用 ProxyJump。</translation>
    </message>
    <message>
        <source>The state of %1 is unknown: podman does not have it or is not installed, and docker does not answer: %2.</source>
        <translation>%1 的状态未知：podman 没有它或未安装，而 docker 没有应答：%2。</translation>
    </message>
    <message>
        <source>%2 cannot be reached, because neither podman nor docker was found on %1. Set &quot;via&quot; to the host that runs the container.</source>
        <translation>用来到达 %2 的 %1 上既没有 podman 也没有 docker。请将 &quot;via&quot; 设为运行它的主机。</translation>
    </message>
    <message>
        <source>There is no %1 in the cluster.</source>
        <translation>集群中没有 %1。</translation>
    </message>
    <message>
        <source>There is no %1 now. Rankdeck searches again, because a restarted job has pods with the same %2; &quot;kubectl get pods -n %3&quot; lists the existing pods.</source>
        <translation>现在没有 %1。Rankdeck 会再次查找，因为重新启动的作业的 pod 有相同的%2；“kubectl get pods -n %3”会列出现有的 pod。</translation>
    </message>
    <message>
        <source>There is no %1 now; Rankdeck searches again. &quot;podman ps&quot; or &quot;docker ps&quot; lists the running containers.</source>
        <translation>现在没有 %1；Rankdeck 会再次查找。“podman ps”或“docker ps”会列出运行中的容器。</translation>
    </message>
    <message>
        <source>There is no %1 on %2. Install it there, or set its path (kubernetes.kubectl, --kubectl) or a host that has it (kubernetes.via, --via).</source>
        <translation>%2 上没有 %1。请在那里安装，或设置其路径（kubernetes.kubectl、--kubectl）或有它的主机（kubernetes.via、--via）。</translation>
    </message>
    <message>
        <source>There is no %1 on %2. Install it there, or set kubernetes.kubectl in the job file to its path, or kubernetes.via to a host that has it.</source>
        <translation>%2 上没有 %1。请在那里安装，或将作业文件中的 kubernetes.kubectl 设为其路径，或将 kubernetes.via 设为有它的主机。</translation>
    </message>
    <message>
        <source>%1 was not found on the node in launch.submit_on (or on the first node).</source>
        <translation>launch.submit_on 所给的节点（或第一个节点）上没有 %1。</translation>
    </message>
    <message>
        <source>There is no home directory for the journal: set a directory with --state-dir.</source>
        <translation>没有用于操作记录的主目录：请用 --state-dir 设置目录。</translation>
    </message>
    <message>
        <source>This login may not use docker: %1. Ask to join the group docker, or use podman.</source>
        <translation>此登录不可使用 docker：%1。请申请加入 docker 组，或使用 podman。</translation>
    </message>
    <message>
        <source>Too many open files on this machine; close some programs or raise the limit.</source>
        <translation>本机打开的文件太多；请关闭一些程序，或提高上限。</translation>
    </message>
    <message>
        <source>Unexpected output came from there: %1…</source>
        <translation>那里有意外的输出：%1…</translation>
    </message>
    <message>
        <source>&quot;%1&quot; did not end in time.</source>
        <translation>“%1”没有及时结束。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a host: %2. Expected an alias from the ssh config, or user@host:port.</source>
        <translation>“%1”不是主机：%2。应为 ssh 配置中的别名，或 user@host:port。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; twice</source>
        <translation>“%1”出现两次</translation>
    </message>
    <message>
        <source>&quot;all&quot; or an array of arrays of ranks</source>
        <translation>&quot;all&quot; 或 rank 数组的数组</translation>
    </message>
    <message>
        <source>&quot;every_rank&quot;, &quot;first_of_node&quot; or &quot;rank0&quot;</source>
        <translation>&quot;every_rank&quot;、&quot;first_of_node&quot; 或 &quot;rank0&quot;</translation>
    </message>
    <message>
        <source>&quot;libssh&quot;, &quot;ssh&quot; or &quot;local&quot;</source>
        <translation>&quot;libssh&quot;、&quot;ssh&quot; 或 &quot;local&quot;</translation>
    </message>
    <message>
        <source>&quot;ssh -G %1&quot; took longer than 10 s. A &quot;Match exec&quot; in the ssh config hangs.</source>
        <translation>“ssh -G %1”超过 10 秒。ssh 配置中的某个“Match exec”挂起。</translation>
    </message>
    <message>
        <source>__metadata__ is not an object</source>
        <translation>__metadata__ 不是对象</translation>
    </message>
    <message>
        <source>a Caffe snapshot</source>
        <translation>Caffe 快照</translation>
    </message>
    <message>
        <source>a Julia checkpoint</source>
        <translation>Julia checkpoint</translation>
    </message>
    <message>
        <source>a Julia checkpoint (Flux)</source>
        <translation>Julia checkpoint（Flux）</translation>
    </message>
    <message>
        <source>a Keras model</source>
        <translation>Keras 模型</translation>
    </message>
    <message>
        <source>a Keras or h5py file (HDF5)</source>
        <translation>Keras 或 h5py 文件（HDF5）</translation>
    </message>
    <message>
        <source>a MindSpore export (MindIR)</source>
        <translation>MindSpore 导出（MindIR）</translation>
    </message>
    <message>
        <source>a NeMo archive</source>
        <translation>NeMo 归档</translation>
    </message>
    <message>
        <source>a Paddle checkpoint</source>
        <translation>Paddle checkpoint</translation>
    </message>
    <message>
        <source>a Slurm job id</source>
        <translation>Slurm 作业 id</translation>
    </message>
    <message>
        <source>a block cannot be unpacked</source>
        <translation>有块无法解压</translation>
    </message>
    <message>
        <source>a block has an unknown compression: %1</source>
        <translation>有块的压缩方式未知：%1</translation>
    </message>
    <message>
        <source>a block has no list of restart points</source>
        <translation>有块没有重启点列表</translation>
    </message>
    <message>
        <source>a block has too many or too long keys</source>
        <translation>有块的键过多或过长</translation>
    </message>
    <message>
        <source>a block is beyond the end of the file</source>
        <translation>有块超出文件结尾</translation>
    </message>
    <message>
        <source>a block is truncated</source>
        <translation>有块被截断</translation>
    </message>
    <message>
        <source>the central directory has %1 and %2 entries, too large to read</source>
        <translation>大小为 %1、有 %2 个条目的中央目录：未读取</translation>
    </message>
    <message>
        <source>a pickled checkpoint</source>
        <translation>pickle 形式的 checkpoint</translation>
    </message>
    <message>
        <source>a checkpoint in an archive</source>
        <translation>归档中的 checkpoint</translation>
    </message>
    <message>
        <source>a checkpoint that is compressed (bzip2)</source>
        <translation>压缩的 checkpoint（bzip2）</translation>
    </message>
    <message>
        <source>a checkpoint that is compressed (gzip)</source>
        <translation>压缩的 checkpoint（gzip）</translation>
    </message>
    <message>
        <source>a checkpoint that is compressed (lz4)</source>
        <translation>压缩的 checkpoint（lz4）</translation>
    </message>
    <message>
        <source>a checkpoint that is compressed (xz)</source>
        <translation>压缩的 checkpoint（xz）</translation>
    </message>
    <message>
        <source>a checkpoint that is compressed (zstd)</source>
        <translation>压缩的 checkpoint（zstd）</translation>
    </message>
    <message>
        <source>a chunk of &apos;%1&apos; does not have the tensor&apos;s dimensions</source>
        <translation>“%1”的一个块与张量的维数不符</translation>
    </message>
    <message>
        <source>a chunk of &apos;%1&apos; is larger than any tensor</source>
        <translation>“%1”的一个块大于任何张量</translation>
    </message>
    <message>
        <source>a chunk of &apos;%1&apos; extends beyond the tensor</source>
        <translation>“%1”的一个块超出张量的范围</translation>
    </message>
    <message>
        <source>a closing %1</source>
        <translation>闭合的 %1</translation>
    </message>
    <message>
        <source>the list of ranks is damaged</source>
        <translation>已损坏的 rank 列表</translation>
    </message>
    <message>
        <source>data.pkl has %1, too large to read</source>
        <translation>大小为 %1 的 data.pkl：未读取</translation>
    </message>
    <message>
        <source>a different file system is mounted at %1 than when the request was written</source>
        <translation>%1 处挂载的文件系统与写出请求时不同</translation>
    </message>
    <message>
        <source>a different name, because this name means the cluster itself</source>
        <translation>另一名称：此名称指集群本身</translation>
    </message>
    <message>
        <source>a node other than this one</source>
        <translation>此节点以外的节点</translation>
    </message>
    <message>
        <source>a distributed Paddle checkpoint</source>
        <translation>分布式 Paddle checkpoint</translation>
    </message>
    <message>
        <source>a field of &apos;%1&apos; reaches beyond its record</source>
        <translation>“%1”的一个字段超出其记录</translation>
    </message>
    <message>
        <source>a field reaches beyond its record</source>
        <translation>有字段超出其记录</translation>
    </message>
    <message>
        <source>a flax checkpoint (msgpack)</source>
        <translation>flax checkpoint（msgpack）</translation>
    </message>
    <message>
        <source>the header has %1, too large to read (limit %2)</source>
        <translation>大小为 %1 的头部：未读取（上限 %2）</translation>
    </message>
    <message>
        <source>an ssh host</source>
        <translation>ssh 主机</translation>
    </message>
    <message>
        <source>an ssh host on which kubectl runs</source>
        <translation>运行 kubectl 的 ssh 主机</translation>
    </message>
    <message>
        <source>a host that is a pod or a container (k8s:… or container:…); for other jumps, use ssh&apos;s ProxyJump</source>
        <translation>作为 pod 或容器的主机（k8s:… 或 container:…）；其他跳转请使用 ssh 的 ProxyJump</translation>
    </message>
    <message>
        <source>a key claims to share more bytes with the previous key than that key has</source>
        <translation>有键共用的字节数超过前一个键的长度</translation>
    </message>
    <message>
        <source>a key does not name a tensor</source>
        <translation>某个键没有指明张量</translation>
    </message>
    <message>
        <source>one of its layouts cannot be read</source>
        <translation>其中一个布局无法读取</translation>
    </message>
    <message>
        <source>one of its layouts lists no devices</source>
        <translation>其中一个布局没有列出设备</translation>
    </message>
    <message>
        <source>the list of tensors has %1, too large to read</source>
        <translation>大小为 %1 的张量列表未读取</translation>
    </message>
    <message>
        <source>the map is larger than %1</source>
        <translation>超过 %1 的映射</translation>
    </message>
    <message>
        <source>the pickle uses a memo slot that no normal writer uses</source>
        <translation>正常的写出程序不会使用的 memo 槽位</translation>
    </message>
    <message>
        <source>a model exported for llama.cpp (GGUF)</source>
        <translation>为 llama.cpp 导出的模型（GGUF）</translation>
    </message>
    <message>
        <source>a name that no other node has</source>
        <translation>其他节点都没有的名称</translation>
    </message>
    <message>
        <source>a name in the pickle has no end</source>
        <translation>没有结尾的名称</translation>
    </message>
    <message>
        <source>a node of the job or an ssh host, but not a pod</source>
        <translation>作业的节点或 ssh 主机，但不能是 pod</translation>
    </message>
    <message>
        <source>a node that is itself reached without a relay</source>
        <translation>自身不经中继即可到达的节点</translation>
    </message>
    <message>
        <source>a number extends beyond the end of the pickle</source>
        <translation>比 pickle 更长的数字</translation>
    </message>
    <message>
        <source>a parallel strategy file, which has the same extension as a checkpoint but contains no weights</source>
        <translation>并行策略文件，扩展名与 checkpoint 相同但不含权重</translation>
    </message>
    <message>
        <source>the pickle contains too many values (limit %1)</source>
        <translation>值过多的 pickle（上限 %1）</translation>
    </message>
    <message>
        <source>the name or absolute path of a program, with only letters, digits and ._/+-</source>
        <translation>程序的名称或绝对路径，由字母、数字和 ._/+- 组成</translation>
    </message>
    <message>
        <source>a rank (a whole number from 0)</source>
        <translation>rank（从 0 开始的整数）</translation>
    </message>
    <message>
        <source>a rank below %1</source>
        <translation>小于 %1 的 rank</translation>
    </message>
    <message>
        <source>the record map has %1, too large to read</source>
        <translation>大小为 %1 的记录表：未读取</translation>
    </message>
    <message>
        <source>a relay only for a host that ssh can reach</source>
        <translation>仅用于 ssh 能到达的主机的中继</translation>
    </message>
    <message>
        <source>the list of storages contains a storage that the saved object does not use</source>
        <translation>storage 列表含有所保存的对象未使用的 storage</translation>
    </message>
    <message>
        <source>a damaged strategy file: %1</source>
        <translation>已损坏的策略文件：%1</translation>
    </message>
    <message>
        <source>a string</source>
        <translation>字符串</translation>
    </message>
    <message>
        <source>the pickle claims a string of %1 bytes, but only %2 bytes are left</source>
        <translation>%1 字节的字符串，而 pickle 只剩 %2</translation>
    </message>
    <message>
        <source>a string that is not empty</source>
        <translation>非空字符串</translation>
    </message>
    <message>
        <source>a string without NUL</source>
        <translation>不含 NUL 的字符串</translation>
    </message>
    <message>
        <source>a string, a number, true or false</source>
        <translation>字符串、数字、true 或 false</translation>
    </message>
    <message>
        <source>its tag claims a length of %1 bytes</source>
        <translation>%1 字节的标签</translation>
    </message>
    <message>
        <source>a tensor is split along a device dimension that does not exist</source>
        <translation>某个张量沿不存在的设备维度切分</translation>
    </message>
    <message>
        <source>a torchsnapshot checkpoint</source>
        <translation>torchsnapshot checkpoint</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>a whole number from %1 to %2</source>
        <translation>%1 至 %2 的整数</translation>
    </message>
    <message>
        <source>all %1 sampled weights are zero (first: %2)</source>
        <translation>采样的 %1 个权重全部为零（首先是 %2）</translation>
    </message>
    <message>
        <source>an Equinox checkpoint</source>
        <translation>Equinox checkpoint</translation>
    </message>
    <message>
        <source>an ONNX export</source>
        <translation>ONNX 导出文件</translation>
    </message>
    <message>
        <source>an absolute path on the host that runs kubectl</source>
        <translation>运行 kubectl 的主机上的绝对路径</translation>
    </message>
    <message>
        <source>the archive has %1 arrays, too many to read</source>
        <translation>有 %1 个数组的归档：未读取</translation>
    </message>
    <message>
        <source>an array</source>
        <translation>数组</translation>
    </message>
    <message>
        <source>an array of ranks</source>
        <translation>rank 数组</translation>
    </message>
    <message>
        <source>an array of ranks (whole numbers from 0)</source>
        <translation>rank 数组（从 0 开始的整数）</translation>
    </message>
    <message>
        <source>an array of strings, one for each argument</source>
        <translation>字符串数组，每个参数一个</translation>
    </message>
    <message>
        <source>an empty array</source>
        <translation>空数组</translation>
    </message>
    <message>
        <source>an entry of storage_data has no file, offset or length</source>
        <translation>storage_data 的一个条目没有文件、偏移或长度</translation>
    </message>
    <message>
        <source>an entry reaches beyond its block</source>
        <translation>有条目超出其块</translation>
    </message>
    <message>
        <source>it has an impossible number of devices</source>
        <translation>不可能的设备数</translation>
    </message>
    <message>
        <source>the index has %1, too large to read (limit %2)</source>
        <translation>大小为 %1 的索引不予读取（上限 %2）</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>an object of environment variables</source>
        <translation>环境变量的对象</translation>
    </message>
    <message>
        <source>an object with name, host and ranks</source>
        <translation>含 name、host 和 ranks 的对象</translation>
    </message>
    <message>
        <source>the pickle has opcode %1 at byte %2, which no checkpoint uses</source>
        <translation>第 %2 字节处有任何 checkpoint 都不使用的操作码 %1</translation>
    </message>
    <message>
        <source>an unknown field %1 in &apos;%2&apos;</source>
        <translation>“%2”中有未知字段 %1</translation>
    </message>
    <message>
        <source>another program restored %1 on node %2 right after the write; stop that program, then try again</source>
        <translation>另一程序在写入之后立即将节点 %2 上的 %1 改回；请停止该程序，然后重试</translation>
    </message>
    <message>
        <source>another program keeps rewriting %1 on node %2; stop that program, then try again</source>
        <translation>另一程序不断改写节点 %2 上的 %1；请停止该程序，然后重试</translation>
    </message>
    <message>
        <source>at least one node</source>
        <translation>至少一个节点</translation>
    </message>
    <message>
        <source>cancelled before all files were in place</source>
        <translation>在所有文件就位之前已取消</translation>
    </message>
    <message>
        <source>cancelled before the launch</source>
        <translation>在启动之前已取消</translation>
    </message>
    <message>
        <source>cancelled while files were copied</source>
        <translation>在复制文件期间已取消</translation>
    </message>
    <message>
        <source>cancelled while it was read</source>
        <translation>在读取期间已取消</translation>
    </message>
    <message>
        <source>cannot tell whether %1 exists (%2)</source>
        <translation>无法得知 %1 是否存在（%2）</translation>
    </message>
    <message>
        <source>cannot tell whether this action created %1, because the answer was lost; the file is left unchanged</source>
        <translation>无法得知此操作是否创建了 %1，因为应答已丢失；它保持不变</translation>
    </message>
    <message>
        <source>changed since it was listed</source>
        <translation>在列出之后已改变</translation>
    </message>
    <message>
        <source>claims to contain more values than it has bytes</source>
        <translation>声明的值多于其字节数</translation>
    </message>
    <message>
        <source>common.json %1</source>
        <translation>common.json %1</translation>
    </message>
    <message>
        <source>common.pt is missing, although metadata.json lists it: Megatron fails to load the set</source>
        <translation>缺少 common.pt，而 metadata.json 中列出了它：Megatron 加载此整组会失败</translation>
    </message>
    <message>
        <source>container %1</source>
        <translation>容器 %1</translation>
    </message>
    <message>
        <source>container:NAME, with a podman or docker name or id</source>
        <translation>container:NAME，其中 NAME 为 podman 或 docker 的名称或 id</translation>
    </message>
    <message>
        <source>contains no array</source>
        <translation>不含数组</translation>
    </message>
    <message>
        <source>contains no tensor</source>
        <translation>不含张量</translation>
    </message>
    <message>
        <source>contains the values of %1 tensors, but its list has %2</source>
        <translation>含有 %1 个张量的数值，而其列表中有 %2 个</translation>
    </message>
    <message>
        <source>could not be read completely</source>
        <translation>未能完整读取</translation>
    </message>
    <message>
        <source>could not be read: %1</source>
        <translation>无法读取：%1</translation>
    </message>
    <message>
        <source>data could not be read: %1</source>
        <translation>无法读取数据：%1</translation>
    </message>
    <message>
        <source>data file %1 is newer than the index, and nothing in it could be compared with a checksum</source>
        <translation>数据文件 %1 比索引更新，且其中没有内容能用校验和核对</translation>
    </message>
    <message>
        <source>data.pkl is not at the offset given in the directory</source>
        <translation>data.pkl 不在目录所给的偏移处</translation>
    </message>
    <message>
        <source>data.pkl: %1</source>
        <translation>data.pkl：%1</translation>
    </message>
    <message>
        <source>data/%1 has %2 bytes, but data.pkl needs %3</source>
        <translation>data/%1 有 %2 字节，而 data.pkl 需要 %3</translation>
    </message>
    <message>
        <source>data/%1 is missing</source>
        <translation>缺少 data/%1</translation>
    </message>
    <message>
        <source>does not begin like an OCDBT manifest</source>
        <translation>开头不像 OCDBT 清单</translation>
    </message>
    <message>
        <source>does not begin with the NumPy magic string</source>
        <translation>不以 NumPy 的魔数开头</translation>
    </message>
    <message>
        <source>does not begin with its list of tensors</source>
        <translation>不以其张量列表开头</translation>
    </message>
    <message>
        <source>does not match its checksum</source>
        <translation>与其校验和不符</translation>
    </message>
    <message>
        <source>each rank in one group</source>
        <translation>每个 rank 只在一个组中</translation>
    </message>
    <message>
        <source>each rank on one node</source>
        <translation>每个 rank 只在一个节点上</translation>
    </message>
    <message>
        <source>each rank wrote its own metadata file (first: %1), but there is no common one: not judged</source>
        <translation>每个 rank 各写了自己的元数据文件（首个：%1），但没有共同的：未判定</translation>
    </message>
    <message>
        <source>encrypted with %1: only its name and size can be judged without the key</source>
        <translation>以 %1 加密：没有密钥只能判定其名称和大小</translation>
    </message>
    <message>
        <source>ends in &apos;%1&apos;, but more data should follow</source>
        <translation>在“%1”中结束，其后应还有内容</translation>
    </message>
    <message>
        <source>ends inside its pickles: %1</source>
        <translation>在其 pickle 之内结束：%1</translation>
    </message>
    <message>
        <source>the size of entry &apos;%1&apos; is incomplete</source>
        <translation>条目“%1”没有完整的大小</translation>
    </message>
    <message>
        <source>every rank below %1 on a node</source>
        <translation>小于 %1 的每个 rank 各在一个节点上</translation>
    </message>
    <message>
        <source>expected %1 answers, one for each read; found %2</source>
        <translation>应有 %1 个应答，每次读取一个；实有 %2 个</translation>
    </message>
    <message>
        <source>expected %1 as JSON from kubectl, found &quot;%2&quot;</source>
        <translation>kubectl 应以 JSON 给出 %1，实为“%2”</translation>
    </message>
    <message>
        <source>expected %1, found %2</source>
        <translation>应为 %1，实为 %2</translation>
    </message>
    <message>
        <source>expected %1, found &quot;%2&quot;</source>
        <translation>应为 %1，实为“%2”</translation>
    </message>
    <message>
        <source>expected JSON under the key fault-npus, found &quot;%1&quot;</source>
        <translation>键 fault-npus 下应为 JSON，实为“%1”</translation>
    </message>
    <message>
        <source>expected JSON under the key recent-reschedule-records, found &quot;%1&quot;</source>
        <translation>键 recent-reschedule-records 下应为 JSON，实为“%1”</translation>
    </message>
    <message>
        <source>expected YAML</source>
        <translation>应为 YAML</translation>
    </message>
    <message>
        <source>expected YAML, found %1</source>
        <translation>应为 YAML，实为 %1</translation>
    </message>
    <message>
        <source>expected a ConfigMap with a resourceVersion from the API server, found %1</source>
        <translation>API server 应给出带 resourceVersion 的 ConfigMap，实为 %1</translation>
    </message>
    <message>
        <source>expected a JSON object like {&quot;0,8&quot;: 8}</source>
        <translation>应为 {&quot;0,8&quot;: 8} 这样的 JSON 对象</translation>
    </message>
    <message>
        <source>expected a JSON object { … }, found %1 as the entire content</source>
        <translation>应为 JSON 对象 { … }，实际全部内容为 %1</translation>
    </message>
    <message>
        <source>expected a JSON object, found an empty file</source>
        <translation>应为 JSON 对象，实为空文件</translation>
    </message>
    <message>
        <source>expected a command in the container, found none</source>
        <translation>容器中应有命令，一个也没有</translation>
    </message>
    <message>
        <source>expected a configuration file below 4 MiB</source>
        <translation>应为小于 4 MiB 的配置文件</translation>
    </message>
    <message>
        <source>expected a configuration file in UTF-8</source>
        <translation>应为 UTF-8 编码的配置文件</translation>
    </message>
    <message>
        <source>expected a file in which these keys can be set without changing others</source>
        <translation>应为能设置这些键而不改变其他键的文件</translation>
    </message>
    <message>
        <source>expected a job in the output of scontrol show job, found &quot;%1&quot;</source>
        <translation>应为 scontrol show job 给出的作业，实为“%1”</translation>
    </message>
    <message>
        <source>expected a list of %1 as JSON from kubectl, found &quot;%2&quot;</source>
        <translation>kubectl 应以 JSON 给出 %1 的列表，实为“%2”</translation>
    </message>
    <message>
        <source>expected a list of faults as JSON, found &quot;%1&quot;</source>
        <translation>应为 JSON 形式的故障列表，实为“%1”</translation>
    </message>
    <message>
        <source>expected a plain string on one line after %1</source>
        <translation>%1 之后应为单行的普通字符串</translation>
    </message>
    <message>
        <source>expected a program in launch.command, found none</source>
        <translation>launch.command 中应有程序，没有</translation>
    </message>
    <message>
        <source>expected a string after %1, found %2</source>
        <translation>%1 之后应为字符串，实为 %2</translation>
    </message>
    <message>
        <source>expected a value for %1 on one line and in UTF-8, found %2</source>
        <translation>%1 的值应为单行且为 UTF-8 编码，实为 %2</translation>
    </message>
    <message>
        <source>expected a value without quotes or backslashes, found %1</source>
        <translation>值应不含引号和反斜杠，实为 %1</translation>
    </message>
    <message>
        <source>expected an entry of this journal, found another object; it was skipped</source>
        <translation>应为此操作记录的条目，实为另一对象；已跳过</translation>
    </message>
    <message>
        <source>expected at most 1 MB of text, found more</source>
        <translation>文本最多 1 MB，实际更多</translation>
    </message>
    <message>
        <source>expected configmap/NAMESPACE/NAME/KEY, found %1</source>
        <translation>应为 configmap/NAMESPACE/NAME/KEY，实为 %1</translation>
    </message>
    <message>
        <source>expected either TRE alone, or UCE and ARF without TRE, as MindSpore does not support both; found TRE with %1</source>
        <translation>应只有 TRE，或有 UCE 和 ARF 而没有 TRE，因为 MindSpore 不支持两者并用；实为 TRE 与 %1 并用</translation>
    </message>
    <message>
        <source>expected format version 1 to 3, found a different one</source>
        <translation>格式版本应为 1 至 3，实为其他版本</translation>
    </message>
    <message>
        <source>expected nodes in the output of scontrol show node, found &quot;%1&quot;</source>
        <translation>应为 scontrol show node 给出的节点，实为“%1”</translation>
    </message>
    <message>
        <source>expected one JSON object, found a torn line; it was skipped</source>
        <translation>应为一个 JSON 对象，实为不完整的一行；已跳过</translation>
    </message>
    <message>
        <source>expected one value for %1, found %2</source>
        <translation>%1 应有一个值，实有 %2 个</translation>
    </message>
    <message>
        <source>expected ranks joined by commas, found &apos;%1&apos;</source>
        <translation>应为以逗号连接的 rank，实为“%1”</translation>
    </message>
    <message>
        <source>expected the commands of a node&apos;s ranks to fit into 128 KiB, found %1 bytes</source>
        <translation>一个节点的各 rank 的命令应不超过 128 KiB，实为 %1 字节</translation>
    </message>
    <message>
        <source>expected the key %1 in its data, found %2</source>
        <translation>其 data 中应有键 %1，实为：%2</translation>
    </message>
    <message>
        <source>expected the plan of an action in the journal, found different data</source>
        <translation>应为操作的计划，操作记录中实为其他内容</translation>
    </message>
    <message>
        <source>these processes are still running after SIGKILL: %1</source>
        <translation>这些进程在 SIGKILL 之后应已消失，但仍在运行：%1</translation>
    </message>
    <message>
        <source>expected time and action, found an entry without them; it was skipped</source>
        <translation>条目应有时间和操作，实际没有；已跳过</translation>
    </message>
    <message>
        <source>extra bytes after the content of &apos;%1&apos;</source>
        <translation>“%1”的内容之后有多余的字节</translation>
    </message>
    <message>
        <source>fault-scheduling is &quot;off&quot;</source>
        <translation>fault-scheduling 为“off”</translation>
    </message>
    <message>
        <source>fault-scheduling is not set</source>
        <translation>未设置 fault-scheduling</translation>
    </message>
    <message>
        <source>found no training command: expected a command (msrun, torchrun, mpirun, srun, python), a batch script with one, or the YAML of a vcjob</source>
        <translation>未找到训练命令：应为命令（msrun、torchrun、mpirun、srun、python）、含有此类命令的批处理脚本，或 vcjob 的 YAML</translation>
    </message>
    <message>
        <source>has %1 bytes, too few for a manifest</source>
        <translation>有 %1 字节，少于任何清单</translation>
    </message>
    <message>
        <source>has %1 files, more than the limit of %2: not judged</source>
        <translation>有 %1 个文件，最多读取 %2 个：未判定</translation>
    </message>
    <message>
        <source>has %1, more than the limit of %2</source>
        <translation>有 %1，最多读取 %2</translation>
    </message>
    <message>
        <source>has %1, far too large for a tracker</source>
        <translation>有 %1，对 tracker 文件来说过大</translation>
    </message>
    <message>
        <source>has %1, too large to read</source>
        <translation>有 %1：未读取</translation>
    </message>
    <message>
        <source>has a byte that is not valid msgpack</source>
        <translation>有一个字节不属于 msgpack</translation>
    </message>
    <message>
        <source>has a key that is not a name</source>
        <translation>有一个键不是名称</translation>
    </message>
    <message>
        <source>has no global_step</source>
        <translation>没有 global_step</translation>
    </message>
    <message>
        <source>has no list of ranks to restore from: written by an old version</source>
        <translation>没有恢复所用的 rank 列表：由旧版本写出</translation>
    </message>
    <message>
        <source>has no weight_map, so it lists no file</source>
        <translation>没有 weight_map，因此没有列出文件</translation>
    </message>
    <message>
        <source>holds %1 bytes, but its map records %2</source>
        <translation>有 %1 字节，而其记录表为 %2</translation>
    </message>
    <message>
        <source>is empty</source>
        <translation>为空</translation>
    </message>
    <message>
        <source>is impossible</source>
        <translation>不可能存在</translation>
    </message>
    <message>
        <source>is nested more deeply than a valid index</source>
        <translation>嵌套比索引应有的更深</translation>
    </message>
    <message>
        <source>is nested more deeply than the Trainer ever writes it</source>
        <translation>嵌套比任何训练程序写出的更深</translation>
    </message>
    <message>
        <source>is not a JSON object</source>
        <translation>不是 JSON 对象</translation>
    </message>
    <message>
        <source>does not begin with a map of names</source>
        <translation>不是以名称为键的映射</translation>
    </message>
    <message>
        <source>is not the metadata of a distributed checkpoint</source>
        <translation>不是分布式 checkpoint 的元数据</translation>
    </message>
    <message>
        <source>is truncated</source>
        <translation>被截断</translation>
    </message>
    <message>
        <source>is truncated in &apos;%1&apos;</source>
        <translation>在“%1”中被截断</translation>
    </message>
    <message>
        <source>it closed the connection</source>
        <translation>它关闭了连接</translation>
    </message>
    <message>
        <source>it contains no item: neither metadata nor a database</source>
        <translation>不含任何条目：既没有元数据，也没有数据库</translation>
    </message>
    <message>
        <source>it did not answer in time.</source>
        <translation>它没有及时应答。</translation>
    </message>
    <message>
        <source>it does not answer</source>
        <translation>它没有应答</translation>
    </message>
    <message>
        <source>it was closed.</source>
        <translation>它已被关闭。</translation>
    </message>
    <message>
        <source>its answer is too long</source>
        <translation>其应答太长</translation>
    </message>
    <message>
        <source>its file from %1</source>
        <translation>它在 %1 的文件</translation>
    </message>
    <message>
        <source>its header has no type or no shape</source>
        <translation>其头部没有类型或没有形状</translation>
    </message>
    <message>
        <source>its header is longer than the part that was read</source>
        <translation>其头部比已读取的部分更长</translation>
    </message>
    <message>
        <source>its header is too long</source>
        <translation>其头部太长</translation>
    </message>
    <message>
        <source>its list of layouts is damaged or too long</source>
        <translation>其布局列表已损坏或过长</translation>
    </message>
    <message>
        <source>its pickles are larger than %1: not read</source>
        <translation>其 pickle 大于 %1：未读取</translation>
    </message>
    <message>
        <source>its shape is impossible</source>
        <translation>其形状不可能存在</translation>
    </message>
    <message>
        <source>its shards are compressed (%1)</source>
        <translation>其分片已压缩（%1）</translation>
    </message>
    <message>
        <source>its shards are safetensors</source>
        <translation>其分片为 safetensors</translation>
    </message>
    <message>
        <source>its tensors are stored in safetensors blocks</source>
        <translation>其张量存储在 safetensors 块中</translation>
    </message>
    <message>
        <source>k8s:NAMESPACE/POD or k8s:NAMESPACE/LABEL=VALUE,LABEL=VALUE, optionally followed by :CONTAINER, with valid Kubernetes names</source>
        <translation>k8s:NAMESPACE/POD 或 k8s:NAMESPACE/LABEL=VALUE,LABEL=VALUE，其后可加“:CONTAINER”，且须为有效的 Kubernetes 名称</translation>
    </message>
    <message>
        <source>kubectl was not found on the host that should run it: %1. Set kubernetes.kubectl to its path, or kubernetes.via to a host that has it.</source>
        <translation>在应运行 kubectl 的主机上没有找到它：%1。请将 kubernetes.kubectl 设为其路径，或将 kubernetes.via 设为有它的主机。</translation>
    </message>
    <message>
        <source>labels</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>lacks state_dict_metadata or storage_data</source>
        <translation>缺少 state_dict_metadata 或 storage_data</translation>
    </message>
    <message>
        <source>the file &apos;latest&apos; in this set names %1, which does not exist: DeepSpeed would start with new states</source>
        <translation>此整组内的 latest 给出 %1，而它不存在：DeepSpeed 会以新的状态开始</translation>
    </message>
    <message>
        <source>launch.config, the file whose keys are set</source>
        <translation>launch.config，即要设置其键的文件</translation>
    </message>
    <message>
        <source>its layouts are for different numbers of devices</source>
        <translation>设备数不同的布局</translation>
    </message>
    <message>
        <source>libssh %1 cannot join an ed25519 certificate to its key: run &quot;ssh-add %2&quot; (it adds %3 as well), or set &quot;transport&quot;: &quot;ssh&quot; for this node</source>
        <translation>libssh %1 无法将 ed25519 证书与其密钥结合：请运行“ssh-add %2”（它也会加入 %3），或将此节点的 &quot;transport&quot; 设为 &quot;ssh&quot;</translation>
    </message>
    <message>
        <source>libssh cannot use the ssh-agent: %1.</source>
        <translation>libssh 无法使用 ssh-agent：%1。</translation>
    </message>
    <message>
        <source>libssh does not accept the settings for %1: %2.</source>
        <translation>libssh 不接受 %1 的设置：%2。</translation>
    </message>
    <message>
        <source>line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message>
        <source>line %1: expected YAML, found: %2</source>
        <translation>第 %1 行：应为 YAML，实为：%2</translation>
    </message>
    <message>
        <source>line %1: expected a value on the line of %2, found %3</source>
        <translation>第 %1 行：%2 所在的行应有值，实为 %3</translation>
    </message>
    <message>
        <source>lists more than 10,000 files</source>
        <translation>列出了超过 10,000 个文件</translation>
    </message>
    <message>
        <source>lists no file for &apos;%1&apos;</source>
        <translation>没有为“%1”列出文件</translation>
    </message>
    <message>
        <source>lists rank %1, which is out of range</source>
        <translation>列出了 rank %1，超出范围</translation>
    </message>
    <message>
        <source>looks like %1, which Rankdeck does not read: its state is unknown</source>
        <translation>看似 %1，Rankdeck 不读取此类文件：其状态未知</translation>
    </message>
    <message>
        <source>metadata.json %1: nothing marks the save as complete</source>
        <translation>metadata.json %1：没有任何内容标明保存已完成</translation>
    </message>
    <message>
        <source>metadata.json has no sharded_backend</source>
        <translation>metadata.json 没有 sharded_backend</translation>
    </message>
    <message>
        <source>metadata.json is truncated, or lists no file with parameters</source>
        <translation>metadata.json 被截断，或没有列出含参数的文件</translation>
    </message>
    <message>
        <source>metadata.json names the zarr backend, whose arrays Rankdeck does not read: their state is unknown</source>
        <translation>metadata.json 指明 zarr：其数组不予读取，因此状态未知</translation>
    </message>
    <message>
        <source>model_%1.pt is missing: the files belong to %2 ranks</source>
        <translation>缺少 model_%1.pt：这些文件属于 %2 个 rank</translation>
    </message>
    <message>
        <source>it has more kinds of layouts than any model</source>
        <translation>布局种类多于任何模型所有的</translation>
    </message>
    <message>
        <source>more than %1 records: not read completely</source>
        <translation>超过 %1 条记录：未完整读取</translation>
    </message>
    <message>
        <source>more than 1,000,000 values: not read completely</source>
        <translation>超过 1,000,000 个值：未完整读取</translation>
    </message>
    <message>
        <source>more than 4,096 large arrays: not read completely</source>
        <translation>超过 4,096 个大数组：未完整读取</translation>
    </message>
    <message>
        <source>mp_world_size is %1</source>
        <translation>mp_world_size 为 %1</translation>
    </message>
    <message>
        <source>names</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>names %1 data files, too many to read</source>
        <translation>指明 %1 个数据文件：未读取</translation>
    </message>
    <message>
        <source>contains %1, which would be run when the file is loaded</source>
        <translation>含有 %1，加载时会运行它</translation>
    </message>
    <message>
        <source>contains %1, which torch.load would run unless weights_only is set</source>
        <translation>含有 %1，除非设置 weights_only，否则 torch.load 会运行它</translation>
    </message>
    <message>
        <source>needs %1</source>
        <translation>需要 %1</translation>
    </message>
    <message>
        <source>no commit_success.txt and no commit time in _CHECKPOINT_METADATA: complete only if the directory was renamed when the save finished</source>
        <translation>既没有 commit_success.txt，_CHECKPOINT_METADATA 中也没有提交时间：仅当此名称是在保存完成时得到的，它才完整</translation>
    </message>
    <message>
        <source>no %1: the save never finished</source>
        <translation>没有 %1：保存未完成</translation>
    </message>
    <message>
        <source>no .metadata: the save never finished</source>
        <translation>没有 .metadata：保存未完成</translation>
    </message>
    <message>
        <source>no checksum matches: its writer had checksums switched off, so damage would go unnoticed</source>
        <translation>没有校验和相符：写出它的程序关闭了校验和，因此损坏不会被发现</translation>
    </message>
    <message>
        <source>no common.json, which is written after the weights: the save never finished</source>
        <translation>没有在权重之后写入的 common.json：保存未完成</translation>
    </message>
    <message>
        <source>no contact for %1.</source>
        <translation>已 %1 没有消息。</translation>
    </message>
    <message>
        <source>no end record at the end of the archive: the save was truncated, or data was appended</source>
        <translation>归档末尾没有结束记录：保存被截断，或被追加了数据</translation>
    </message>
    <message>
        <source>no file contains the offsets of the pieces of &apos;%1&apos;</source>
        <translation>没有文件表明“%1”的各部分从何处开始</translation>
    </message>
    <message>
        <source>no key</source>
        <translation>没有键</translation>
    </message>
    <message>
        <source>no memory to read a configuration file</source>
        <translation>没有内存用于读取配置文件</translation>
    </message>
    <message>
        <source>no metadata.json, which is written after the weights: the save never finished</source>
        <translation>没有在权重之后写入的 metadata.json：保存未完成</translation>
    </message>
    <message>
        <source>no metadata.json: the save never finished, and Megatron would treat the directory as torch_dcp and load it wrongly</source>
        <translation>没有 metadata.json：保存未完成，且 Megatron 会将该目录当作 torch_dcp 而错误地加载</translation>
    </message>
    <message>
        <source>no optimizer state: training cannot continue from it unchanged</source>
        <translation>没有优化器状态：训练无法不变地自它继续</translation>
    </message>
    <message>
        <source>no optimizer state: training would continue with a new optimizer</source>
        <translation>没有优化器状态：训练会以新的优化器继续</translation>
    </message>
    <message>
        <source>no part has layers %1</source>
        <translation>没有部分含有层 %1</translation>
    </message>
    <message>
        <source>no random generator state: data order and dropout will differ after a resume</source>
        <translation>没有随机数生成器状态：续训后数据顺序和 dropout 会不同</translation>
    </message>
    <message>
        <source>no random_states_N.pkl, which Accelerate writes last: nothing shows that the save finished</source>
        <translation>没有 Accelerate 最后写入的 random_states_N.pkl：没有任何内容表明保存已完成</translation>
    </message>
    <message>
        <source>no ranks</source>
        <translation>没有 rank</translation>
    </message>
    <message>
        <source>no record begins here</source>
        <translation>此处没有记录开始</translation>
    </message>
    <message>
        <source>no running_states.json, which is written last: the step is unknown</source>
        <translation>没有最后写入的 running_states.json：step 未知</translation>
    </message>
    <message>
        <source>file %1 of %2 has no shards</source>
        <translation>文件 %1（共 %2 个）没有任何分片</translation>
    </message>
    <message>
        <source>no such key</source>
        <translation>没有该键</translation>
    </message>
    <message>
        <source>an unknown role</source>
        <translation>没有该角色</translation>
    </message>
    <message>
        <source>no trainer_state.json, which the Trainer writes last: the save never finished</source>
        <translation>没有 Trainer 最后写入的 trainer_state.json：保存未完成</translation>
    </message>
    <message>
        <source>no weights: there is neither model.safetensors nor an index of shards</source>
        <translation>没有权重：既没有 model.safetensors，也没有分片的索引</translation>
    </message>
    <message>
        <source>node %1 is not live</source>
        <translation>节点 %1 不在线</translation>
    </message>
    <message>
        <source>node %1 was not found</source>
        <translation>未找到节点 %1</translation>
    </message>
    <message>
        <source>node %1 was not found, so %2 is not copied</source>
        <translation>未找到节点 %1，因此没有复制 %2</translation>
    </message>
    <message>
        <source>node %1: %2 was created after the plan was made; make the plan again</source>
        <translation>节点 %1：制定计划之后 %2 已存在；请重新制定计划</translation>
    </message>
    <message>
        <source>node %1: %2 was changed after the plan was made; make the plan again</source>
        <translation>节点 %1：制定计划之后 %2 已改变；请重新制定计划</translation>
    </message>
    <message>
        <source>none of the %1 optimizer partitions exists</source>
        <translation>%1 个优化器分区一个也不存在</translation>
    </message>
    <message>
        <source>not JSON: line %1, column %2: expected %3, found %4</source>
        <translation>不是 JSON：第 %1 行第 %2 列应为 %3，实为 %4</translation>
    </message>
    <message>
        <source>not JSON: the file is not valid UTF-8</source>
        <translation>不是 JSON：文件不是有效的 UTF-8</translation>
    </message>
    <message>
        <source>not a file</source>
        <translation>不是文件</translation>
    </message>
    <message>
        <source>not a group file, or a damaged group file</source>
        <translation>不是组文件，或已损坏</translation>
    </message>
    <message>
        <source>not read</source>
        <translation>未读取</translation>
    </message>
    <message>
        <source>nothing more</source>
        <translation>没有更多内容</translation>
    </message>
    <message>
        <source>one of the roles %1</source>
        <translation>角色 %1 之一</translation>
    </message>
    <message>
        <source>one part has layers %1 and another has layers %2: some layers exist twice</source>
        <translation>一个部分有层 %1，另一个有层 %2：有些层出现两次</translation>
    </message>
    <message>
        <source>one way to request the stop</source>
        <translation>一种请求停止的方式</translation>
    </message>
    <message>
        <source>only .metadata.tmp and no .metadata: the save never finished</source>
        <translation>只有 .metadata.tmp 而没有 .metadata：保存未完成</translation>
    </message>
    <message>
        <source>only manifests, metadata and names were checked: no array was read</source>
        <translation>只检查了清单、元数据和名称：没有读取任何数组</translation>
    </message>
    <message>
        <source>optimizer.pt and scheduler.pt have counted %1 steps, but the model %2: both were reset during training</source>
        <translation>optimizer.pt 和 scheduler.pt 计为 %1 步，模型为 %2：两者在其间被重置</translation>
    </message>
    <message>
        <source>other layers have this file</source>
        <translation>其他层有此部分</translation>
    </message>
    <message>
        <source>part of the index is missing</source>
        <translation>缺少索引的一部分</translation>
    </message>
    <message>
        <source>partition_count is %1</source>
        <translation>partition_count 为 %1</translation>
    </message>
    <message>
        <source>partition_count is %1, mp_world_size %2</source>
        <translation>partition_count 为 %1，mp_world_size 为 %2</translation>
    </message>
    <message>
        <source>this login cannot inspect pid %1 (%2) of user %3, which started after the launch</source>
        <translation>此登录无法查看用户 %3 的 pid %1（%2），它在启动命令之后启动</translation>
    </message>
    <message>
        <source>only placeholders that are available here</source>
        <translation>该处可用的占位符</translation>
    </message>
    <message>
        <source>pod %1</source>
        <translation>pod %1</translation>
    </message>
    <message>
        <source>pod %1 in %2</source>
        <translation>%2 中的 pod %1</translation>
    </message>
    <message>
        <source>preStop runs when a pod is deleted, and %1: after a device fault MindX DL deletes no pod, so no emergency checkpoint is saved</source>
        <translation>preStop 在删除 pod 时运行，而 %1：设备故障后 MindX DL 不删除 pod，因此不会保存临终 CKPT</translation>
    </message>
    <message>
        <source>puts &apos;%1&apos; into &apos;%2&apos;, which is not the name of a file in this directory</source>
        <translation>将“%1”放在“%2”中，而它不是此目录中文件的名称</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>rank %1 %2</source>
        <translation>rank %1 %2</translation>
    </message>
    <message>
        <source>rank %1 has no %2 file in %3, but the file names show %4 ranks</source>
        <translation>rank %1 在 %3 中没有 %2 文件：按名称有 %4 个 rank</translation>
    </message>
    <message>
        <source>rank %1 has no %2 file, but the file names show %3 ranks</source>
        <translation>rank %1 没有 %2 文件：按名称有 %3 个</translation>
    </message>
    <message>
        <source>rank %1 has no %2, but rank %3 has one</source>
        <translation>rank %1 没有 %2，而 rank %3 有</translation>
    </message>
    <message>
        <source>rank %1 has no %2: resumable with loss, random numbers start over</source>
        <translation>rank %1 没有 %2：可续训但有损失，随机数重新开始</translation>
    </message>
    <message>
        <source>rank %1 is in two groups</source>
        <translation>rank %1 在两个组中</translation>
    </message>
    <message>
        <source>rank %1 on &quot;%2&quot; and on &quot;%3&quot;</source>
        <translation>rank %1 同时在“%2”和“%3”上</translation>
    </message>
    <message>
        <source>no node for rank %1</source>
        <translation>rank %1 不在任何节点上</translation>
    </message>
    <message>
        <source>rank %1 twice</source>
        <translation>rank %1 出现两次</translation>
    </message>
    <message>
        <source>rank %1&apos;s checkpoint %2 on node %3</source>
        <translation>节点 %3 上 rank %1 的 checkpoint %2</translation>
    </message>
    <message>
        <source>ranks %1 and %2 have the same values, but each should have its own piece: one file may be a copy</source>
        <translation>rank %1 和 %2 数值相同，而每个 rank 各有自己的部分：其中之一可能是副本</translation>
    </message>
    <message>
        <source>ranks %1 do not load from any rank</source>
        <translation>rank %1 不从任何 rank 加载</translation>
    </message>
    <message>
        <source>ranks %1 load from more than one rank</source>
        <translation>rank %1 从多个 rank 加载</translation>
    </message>
    <message>
        <source>ranks below world_size %1</source>
        <translation>小于 world_size %1 的 rank</translation>
    </message>
    <message>
        <source>ranks for each node, because %1 ranks cannot be divided evenly among %2 nodes</source>
        <translation>每个节点的 rank，因为 %1 个 rank 不能由 %2 个节点均分</translation>
    </message>
    <message>
        <source>recipe_state.pt belongs to a later save (after %1 epochs), but these weights were saved after %2 epochs</source>
        <translation>recipe_state.pt 属于更晚的保存（%1 个 epoch 之后），而这些权重保存于 %2 个 epoch 之后</translation>
    </message>
    <message>
        <source>recipe_state.pt belongs to an earlier save (after %1 epochs): torchtune does not write it with the last weights of a training</source>
        <translation>recipe_state.pt 属于更早的保存，当时已运行 %1 个 epoch：torchtune 不随训练的最后权重写出它</translation>
    </message>
    <message>
        <source>recipe_state.pt has no epochs_run, so its epoch is unknown</source>
        <translation>recipe_state.pt 没有 epochs_run：没有任何内容表明其 epoch</translation>
    </message>
    <message>
        <source>released weights: a run can start from them, but cannot continue from them</source>
        <translation>发布的权重：运行以它为起点，但不自它继续</translation>
    </message>
    <message>
        <source>resumable with loss: no lr_scheduler, so the learning rate schedule restarts</source>
        <translation>可续训但有损失：没有 lr_scheduler，因此学习率调度重新开始</translation>
    </message>
    <message>
        <source>resumable with loss: no random state, so data order and dropout start over</source>
        <translation>可续训但有损失：没有随机状态，因此数据顺序和 dropout 重新开始</translation>
    </message>
    <message>
        <source>resumable with loss: no scheduler.pt, so the learning rate schedule restarts</source>
        <translation>可续训但有损失：没有 scheduler.pt，因此学习率调度重新开始</translation>
    </message>
    <message>
        <source>running_states.json is truncated, or has no epoch and step</source>
        <translation>running_states.json 被截断，或没有 epoch 和 step</translation>
    </message>
    <message>
        <source>running_states.json has epoch %1, step %2, but the directory name has different numbers</source>
        <translation>running_states.json 为 epoch %1 step %2，而目录名与此不同</translation>
    </message>
    <message>
        <source>the files claim %1 data-parallel and %2 model-parallel ranks, more than any run has</source>
        <translation>文件指明 %1 个数据并行 rank 和 %2 个模型并行 rank，多于任何运行所有的</translation>
    </message>
    <message>
        <source>records a length of %1 bytes, but has %2</source>
        <translation>自称有 %1 字节，实有 %2</translation>
    </message>
    <message>
        <source>shard %1 is missing, but shard %2 exists</source>
        <translation>缺少分片 %1，而分片 %2 存在</translation>
    </message>
    <message>
        <source>shard %1 of %2 is missing</source>
        <translation>缺少分片 %1（共 %2 个）</translation>
    </message>
    <message>
        <source>ssh does not accept its configuration for %1: %2.</source>
        <translation>ssh 不接受其对 %1 的配置：%2。</translation>
    </message>
    <message>
        <source>ssh does not accept its configuration for %1: %2. Correct it; &quot;ssh -G %3&quot; shows the same.</source>
        <translation>ssh 不接受其对 %1 的配置：%2。请更正；“ssh -G %3”会显示同样的内容。</translation>
    </message>
    <message>
        <source>ssh refused the host key of %1: it has CHANGED (%2). Only if its administrator confirms the new key, remove the old one with ssh-keygen -R.</source>
        <translation>ssh 拒绝了 %1 的主机密钥：它已改变（%2）。仅当其管理员确认新密钥时，才可用 ssh-keygen -R 删除旧密钥。</translation>
    </message>
    <message>
        <source>ssh refused the host key of %1: it is revoked. Ask the administrator for the new key.</source>
        <translation>ssh 拒绝了 %1 的主机密钥：它已被吊销。请向管理员索取新密钥。</translation>
    </message>
    <message>
        <source>storage %1 is listed with two sizes</source>
        <translation>storage %1 以两种大小列出</translation>
    </message>
    <message>
        <source>storage_data lists &apos;%1&apos;, which is not a file in this directory</source>
        <translation>storage_data 列出了“%1”，而它不是此目录中的文件</translation>
    </message>
    <message>
        <source>tensor %1 of the list is damaged</source>
        <translation>列表中的张量 %1 已损坏</translation>
    </message>
    <message>
        <source>the archive has %1 records and no data.pkl: the save ended with an exception</source>
        <translation>归档有 %1 条记录而没有 data.pkl：保存因异常结束</translation>
    </message>
    <message>
        <source>the archive&apos;s directory could not be read completely</source>
        <translation>未能完整读取归档的目录</translation>
    </message>
    <message>
        <source>the saved arguments require %1 × %2 × %3 parts</source>
        <translation>参数给出 %1 × %2 × %3 个部分</translation>
    </message>
    <message>
        <source>the array &apos;%1&apos;: %2</source>
        <translation>数组“%1”：%2</translation>
    </message>
    <message>
        <source>the blocks do not reach the index: a part is missing</source>
        <translation>各块没有延续到索引：缺少一部分</translation>
    </message>
    <message>
        <source>the blocks of the index do not follow each other without gaps</source>
        <translation>索引的各块没有无间隙地相接</translation>
    </message>
    <message>
        <source>the bytes of &apos;%1&apos; do not match the CRC-32 in the directory</source>
        <translation>“%1”的字节与目录中的 CRC-32 不符</translation>
    </message>
    <message>
        <source>the central directory could not be read completely</source>
        <translation>未能完整读取中央目录</translation>
    </message>
    <message>
        <source>the central directory is damaged at entry %1</source>
        <translation>中央目录在条目 %1 处损坏</translation>
    </message>
    <message>
        <source>the central directory is truncated in entry %1</source>
        <translation>中央目录在条目 %1 中被截断</translation>
    </message>
    <message>
        <source>the checksum of a block does not match its bytes</source>
        <translation>有块的校验和与其字节不符</translation>
    </message>
    <message>
        <source>the chunks of &apos;%1&apos; hold %2 values, but the tensor has %3: some values are missing</source>
        <translation>“%1”的各块有 %2 个值，而张量有 %3 个：有间隙</translation>
    </message>
    <message>
        <source>the chunks of &apos;%1&apos; hold %2 values, but the tensor has %3: they overlap</source>
        <translation>“%1”的各块有 %2 个值，而张量有 %3 个：重叠</translation>
    </message>
    <message>
        <source>the copy of %1 on node %2 differs from the original; try again</source>
        <translation>节点 %2 上 %1 的副本与原文件不同；请重试</translation>
    </message>
    <message>
        <source>the dimensions of &apos;%1&apos; are not readable</source>
        <translation>“%1”的维度不可读</translation>
    </message>
    <message>
        <source>the edit of %1 could not be undone</source>
        <translation>无法撤销对 %1 的修改</translation>
    </message>
    <message>
        <source>the edit of %1 could not be undone: %2</source>
        <translation>无法撤销对 %1 的修改：%2</translation>
    </message>
    <message>
        <source>the end record counts %1 entries, but there are %2</source>
        <translation>结束记录计为 %1 个条目，而实有 %2 个</translation>
    </message>
    <message>
        <source>the end record counts %1 entries, but there are more</source>
        <translation>结束记录计为 %1 个条目，而实际更多</translation>
    </message>
    <message>
        <source>the entry &apos;%1&apos; exists twice</source>
        <translation>条目“%1”出现两次</translation>
    </message>
    <message>
        <source>the entry &apos;%1&apos; is not an array</source>
        <translation>条目“%1”不是数组</translation>
    </message>
    <message>
        <source>the entry &apos;%1&apos; is not inside the file</source>
        <translation>条目“%1”不在文件之内</translation>
    </message>
    <message>
        <source>the entry of %1 is damaged</source>
        <translation>%1 的条目已损坏</translation>
    </message>
    <message>
        <source>the file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>the file changed since it was listed: %1 bytes then, %2 now</source>
        <translation>文件在列出之后已改变：当时为 %1 字节，现在为 %2</translation>
    </message>
    <message>
        <source>the file changed while it was read</source>
        <translation>文件在读取期间已改变</translation>
    </message>
    <message>
        <source>the file does not end with a table&apos;s end mark</source>
        <translation>文件不以表的结束标记结尾</translation>
    </message>
    <message>
        <source>the file ends inside &apos;%1&apos;</source>
        <translation>文件在“%1”之内结束</translation>
    </message>
    <message>
        <source>the file ends inside a record</source>
        <translation>文件在一条记录之内结束</translation>
    </message>
    <message>
        <source>the file records CRC-32 %1, but its content has %2</source>
        <translation>文件记为 CRC-32 %1，而其字节为 %2</translation>
    </message>
    <message>
        <source>the files belong to %1 × %2 ranks</source>
        <translation>这些文件属于 %1 × %2 个 rank</translation>
    </message>
    <message>
        <source>the header claims %1 bytes, but the file has %2</source>
        <translation>头部声明 %1 字节，而文件有 %2</translation>
    </message>
    <message>
        <source>the header claims %1 bytes, more than the format&apos;s 100,000,000</source>
        <translation>头部声明 %1 字节，超过该格式的 100,000,000</translation>
    </message>
    <message>
        <source>the header could not be read completely</source>
        <translation>未能完整读取头部</translation>
    </message>
    <message>
        <source>the header does not say how many data files there are</source>
        <translation>头部没有说明有多少数据文件</translation>
    </message>
    <message>
        <source>the header is not a JSON object</source>
        <translation>头部不是 JSON 对象</translation>
    </message>
    <message>
        <source>the header is not the first entry</source>
        <translation>头部不是第一个条目</translation>
    </message>
    <message>
        <source>the headers of the arrays could not be read completely</source>
        <translation>未能完整读取各数组的头部</translation>
    </message>
    <message>
        <source>the index changed while it was read</source>
        <translation>索引在读取期间已改变</translation>
    </message>
    <message>
        <source>the index could not be read completely</source>
        <translation>未能完整读取索引</translation>
    </message>
    <message>
        <source>the index does not end where the footer begins</source>
        <translation>索引没有在页脚开始处结束</translation>
    </message>
    <message>
        <source>the index is empty</source>
        <translation>索引为空</translation>
    </message>
    <message>
        <source>the index lists a block that does not begin where the previous one ends</source>
        <translation>索引列出的一个块没有从前一块结束处开始</translation>
    </message>
    <message>
        <source>the index: %1</source>
        <translation>索引：%1</translation>
    </message>
    <message>
        <source>the journal has no plan for this action</source>
        <translation>操作记录中没有其计划</translation>
    </message>
    <message>
        <source>the keys are not in ascending order</source>
        <translation>键不是升序</translation>
    </message>
    <message>
        <source>the keys of a block are not in ascending order</source>
        <translation>有块的键不是升序</translation>
    </message>
    <message>
        <source>the label of a number in the log lines, such as &quot;train_loss&quot;</source>
        <translation>日志行中数字的标签，例如“train_loss”</translation>
    </message>
    <message>
        <source>the last %1 of &apos;%2&apos; are zeros: the file was allocated at full length and not completely written</source>
        <translation>“%2”的最后 %1 为零：文件按全长分配，但没有写完</translation>
    </message>
    <message>
        <source>the last loss before this save is %1 at step %2, %3 times the usual %4</source>
        <translation>此保存之前最后的 loss 为 %1（step %2），是通常值 %4 的 %3 倍</translation>
    </message>
    <message>
        <source>the list of storages does not match the saved object</source>
        <translation>storage 列表与所保存的对象不符</translation>
    </message>
    <message>
        <source>the list of tensors is damaged</source>
        <translation>张量列表已损坏</translation>
    </message>
    <message>
        <source>the name of a ConfigMap, or NAMESPACE/NAME</source>
        <translation>ConfigMap 的名称，或 NAMESPACE/NAME</translation>
    </message>
    <message>
        <source>the name of a context</source>
        <translation>context 的名称</translation>
    </message>
    <message>
        <source>the name of a key in launch.config</source>
        <translation>launch.config 中键的名称</translation>
    </message>
    <message>
        <source>the name of a node of the job</source>
        <translation>作业的节点的名称</translation>
    </message>
    <message>
        <source>the name of a node, or an ssh host</source>
        <translation>节点的名称，或 ssh 主机</translation>
    </message>
    <message>
        <source>the name of an environment variable</source>
        <translation>环境变量的名称</translation>
    </message>
    <message>
        <source>the name has step %1 of epoch %2, but the content has step_num %3</source>
        <translation>名称说是 epoch %2 的 step %1，内容的 step_num 是 %3</translation>
    </message>
    <message>
        <source>the node did not answer</source>
        <translation>节点没有应答</translation>
    </message>
    <message>
        <source>the number %1</source>
        <translation>数字 %1</translation>
    </message>
    <message>
        <source>the optimizer file is missing beside the weights; other saves have it</source>
        <translation>权重旁边缺少优化器文件；其他保存有它</translation>
    </message>
    <message>
        <source>the optimizer has counted %1 steps, but the model %2 with %3 skipped: they come from different saves, or the optimizer was reset</source>
        <translation>优化器计为 %1 步，而模型为 %2，其中跳过 %3：它们来自不同的保存，或优化器被重置</translation>
    </message>
    <message>
        <source>the optimizer has counted %1 steps, but the model %2: they come from different saves</source>
        <translation>优化器计为 %1 步，而模型为 %2：它们来自不同的保存</translation>
    </message>
    <message>
        <source>the optimizer&apos;s counts in %1 show step %2, but those in other shards show %3</source>
        <translation>%1 中优化器的计数为 step %2，其他为 %3</translation>
    </message>
    <message>
        <source>the optimizer partitions do not record their step</source>
        <translation>优化器的分区不含其 step</translation>
    </message>
    <message>
        <source>the parts are stages of one pipeline, but %1</source>
        <translation>各部分具有同一流水线的层，但 %1</translation>
    </message>
    <message>
        <source>the passphrase for %1 was wrong</source>
        <translation>%1 的密码短语错误</translation>
    </message>
    <message>
        <source>the pickle is damaged at byte %1</source>
        <translation>pickle 在第 %1 字节处损坏</translation>
    </message>
    <message>
        <source>the pickle is truncated at byte %1</source>
        <translation>pickle 在第 %1 字节处被截断</translation>
    </message>
    <message>
        <source>the plan puts a copy of the chosen set there for each rank; the first losses show whether it was loaded</source>
        <translation>计划为每个 rank 在那里放置所选整组的副本；最初的 loss 会表明它是否已加载</translation>
    </message>
    <message>
        <source>the position of a block is truncated</source>
        <translation>有块的位置被截断</translation>
    </message>
    <message>
        <source>the random state of rank %1 belongs to batch %2, but most ranks are at batch %3</source>
        <translation>rank %1 的随机状态属于批次 %2，而多数属于批次 %3</translation>
    </message>
    <message>
        <source>the recipe &quot;command&quot;; for Volcano it is launch.volcano.per_pod</source>
        <translation>启动方式 &quot;command&quot;；对 Volcano 则为 launch.volcano.per_pod</translation>
    </message>
    <message>
        <source>the record &apos;%1&apos;</source>
        <translation>记录“%1”</translation>
    </message>
    <message>
        <source>the record &apos;%1&apos; is not inside the file</source>
        <translation>记录“%1”不在文件之内</translation>
    </message>
    <message>
        <source>the record at byte %1 is damaged: %2</source>
        <translation>第 %1 字节处的记录已损坏：%2</translation>
    </message>
    <message>
        <source>the record does not begin with a tag</source>
        <translation>记录不以标签开头</translation>
    </message>
    <message>
        <source>the record map has no data.pkl, or has records outside the file</source>
        <translation>记录表没有 data.pkl，或有文件之外的记录</translation>
    </message>
    <message>
        <source>the record map: %1</source>
        <translation>记录表：%1</translation>
    </message>
    <message>
        <source>the length of the record does not match its framing</source>
        <translation>记录的长度与其分帧不一致</translation>
    </message>
    <message>
        <source>the script loads only what OnRequestExit finds when the training begins (%1); it does not log that, and counts its epochs from 1 again</source>
        <translation>脚本只加载 OnRequestExit 在训练开始时找到的 %1；它不会记录这一点，并从 1 重新计 epoch</translation>
    </message>
    <message>
        <source>the shards have %1 of the %2 elements of &apos;%3&apos;</source>
        <translation>各分片有“%3”的 %2 个元素中的 %1 个</translation>
    </message>
    <message>
        <source>the slices of %1 have %2 bytes together, but its shape needs %3</source>
        <translation>%1 的各切片共有 %2 字节，而其形状需要 %3</translation>
    </message>
    <message>
        <source>the string %1</source>
        <translation>字符串 %1</translation>
    </message>
    <message>
        <source>the tail of the file places a record map of %1 bytes at byte %2, but it would not end where the tail begins</source>
        <translation>尾部指明 %2 处有 %1 字节的记录表，而它没有在尾部开始处结束</translation>
    </message>
    <message>
        <source>the tensor of &apos;%1&apos; does not fill its record</source>
        <translation>“%1”的张量没有填满其记录</translation>
    </message>
    <message>
        <source>the type of &apos;%1&apos; is not a type name</source>
        <translation>“%1”的类型不是类型名称</translation>
    </message>
    <message>
        <source>the values of a tensor are damaged</source>
        <translation>有张量的数值已损坏</translation>
    </message>
    <message>
        <source>the weights file is missing beside the other files</source>
        <translation>其他文件旁边缺少权重文件</translation>
    </message>
    <message>
        <source>there are %1 experts</source>
        <translation>有 %1 个专家</translation>
    </message>
    <message>
        <source>there is no index of the model&apos;s shards</source>
        <translation>没有模型分片的索引</translation>
    </message>
    <message>
        <source>there is no node %1</source>
        <translation>没有节点 %1</translation>
    </message>
    <message>
        <source>the pod no longer exists</source>
        <translation>pod 已不存在</translation>
    </message>
    <message>
        <source>there is no weights file</source>
        <translation>没有权重文件</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>too many tensors</source>
        <translation>张量过多</translation>
    </message>
    <message>
        <source>trainer_state.json %1</source>
        <translation>trainer_state.json %1</translation>
    </message>
    <message>
        <source>trainer_state.json has a loss of NaN or Inf at step %1, before this save</source>
        <translation>trainer_state.json 在此保存之前的 step %1 有 NaN 或 Inf 的 loss</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true 或 false</translation>
    </message>
    <message>
        <source>it is truncated or not a strategy</source>
        <translation>被截断，或不是策略</translation>
    </message>
    <message>
        <source>two chunks of &apos;%1&apos; overlap</source>
        <translation>“%1”有两个块重叠</translation>
    </message>
    <message>
        <source>unknown placeholder {%1} in &quot;%2&quot;; there are %3</source>
        <translation>“%2”中有未知的占位符 {%1}；可用的有 %3</translation>
    </message>
    <message>
        <source>unpaired &quot;%1&quot; in &quot;%2&quot;; write a literal brace twice</source>
        <translation>“%2”中的“%1”不成对；作为字面字符的大括号要写两次</translation>
    </message>
    <message>
        <source>written on a big-endian machine: not read</source>
        <translation>在大端机器上写出：未读取</translation>
    </message>
    <message>
        <source>zarr arrays (T5X, Megatron&apos;s older format)</source>
        <translation>zarr 数组（T5X、Megatron 的旧格式）</translation>
    </message>
    <message>
        <source>%1 (%2 stages, %3 parts per operator, %4 ranks)</source>
        <translation>%1（%2 个 stage，每个算子 %3 份，%4 个 rank）</translation>
    </message>
    <message>
        <source>%1 cannot be reached: %2. kubectl said: %3.</source>
        <translation>无法访问 %1：%2。kubectl 的输出：%3。</translation>
    </message>
    <message>
        <source>%1 has an optimizer state but no weights</source>
        <translation>%1 有优化器状态，没有权重</translation>
    </message>
    <message>
        <source>%1 has counters but no tensors</source>
        <translation>%1 有计数器，没有张量</translation>
    </message>
    <message>
        <source>%1 has no %2: a training that chooses its checkpoint there would silently start from zero</source>
        <translation>%1 没有 %2：在那里自行启动的训练会不作提示地从头开始</translation>
    </message>
    <message>
        <source>%1 instead of %2</source>
        <translation>是 %1，而不是 %2</translation>
    </message>
    <message>
        <source>%1 differs between nodes (%2; %3): each rank would follow its own tracker, or the larger number</source>
        <translation>%1 在各节点上不一致（%2；%3）：每个 rank 会按自己的记录文件，或按较大的数字</translation>
    </message>
    <message>
        <source>%1 names %2</source>
        <translation>%1 指向 %2</translation>
    </message>
    <message>
        <source>%1 names step %2, but %3 beside it names step %4: trackers from two frameworks are in one directory</source>
        <translation>%1 说是 step %2，旁边的 %3 说是 step %4：同一目录中有两个框架的记录文件</translation>
    </message>
    <message>
        <source>%1 was moved to %2, and neither exists</source>
        <translation>%1 已移到 %2，但两者都不存在</translation>
    </message>
    <message>
        <source>%1 was moved to %2, which no longer exists, and %1 may be a different file now</source>
        <translation>%1 已移到 %2，但那里什么也没有，而 %1 现在可能是另一个文件</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1: kubectl said: %2</source>
        <translation>%1：kubectl 的输出：%2</translation>
    </message>
    <message>
        <source>%1: kubectl said: %2. Cannot tell whether the server has made the change</source>
        <translation>%1：kubectl 的输出：%2。无法判断服务器是否已作修改</translation>
    </message>
    <message>
        <source>%1; Megatron ends at once with exit code 0 when it reads such a file</source>
        <translation>%1；Megatron 读到这样的文件会立即以退出码 0 结束</translation>
    </message>
    <message>
        <source>%1; not used</source>
        <translation>%1；未使用</translation>
    </message>
    <message>
        <source>; the difference is the same in all %1 saves of this run: a node&apos;s clock is wrong</source>
        <translation>；在本次运行的全部 %1 次保存中差值相同：某个节点的时钟不准</translation>
    </message>
    <message>
        <source>At the jump host %1: %2</source>
        <translation>在跳板机 %1 上：%2</translation>
    </message>
    <message>
        <source>At the relay %1: %2</source>
        <translation>在中继 %1 上：%2</translation>
    </message>
    <message>
        <source>Cannot run %1: %2.</source>
        <translation>无法运行 %1：%2。</translation>
    </message>
    <message>
        <source>OnRequestExit would load it instead of the chosen set</source>
        <translation>OnRequestExit 会加载它，覆盖所选的整组</translation>
    </message>
    <message>
        <source>The host key cannot be added to %1: %2. Make it writable, or set a different UserKnownHostsFile.</source>
        <translation>无法把主机密钥加入 %1：%2。请使其可写，或另设 UserKnownHostsFile。</translation>
    </message>
    <message>
        <source>The journal %1 could not be %2: %3. Rankdeck does nothing without a record: free some space or correct the journal&apos;s owner, then try again.</source>
        <translation>操作记录 %1 无法 %2：%3。没有记录就不执行任何操作：请释放空间或更正其所有者，然后重试。</translation>
    </message>
    <message>
        <source>The journal %1 has entries of a newer version, the last in line %2, so actions in progress are unknown. Use the newer version, or move the journal away when no action is in progress.</source>
        <translation>操作记录 %1 含有更新版本的条目，最后一条在第 %2 行，因此正在进行的操作未知。请使用该版本，或在没有操作进行时移走该操作记录。</translation>
    </message>
    <message>
        <source>The journal %1 no longer contains what %2 wrote into it, so other actions are unknown. Find out what moves the journal away, then try again.</source>
        <translation>操作记录 %1 不再包含 %2 写入的内容，因此其他操作未知。请查明是什么移走了操作记录，然后重试。</translation>
    </message>
    <message>
        <source>The relay %1 did not start: %2</source>
        <translation>中继 %1 没有启动：%2</translation>
    </message>
    <message>
        <source>The relay %1 did not start: %2 It said: %3</source>
        <translation>中继 %1 没有启动：%2它的输出：%3</translation>
    </message>
    <message>
        <source>The ssh-agent at %1 cannot be used: %2.</source>
        <translation>无法使用 %1 处的 ssh-agent：%2。</translation>
    </message>
    <message>
        <source>a save of a graceful exit</source>
        <translation>优雅退出时的保存</translation>
    </message>
    <message>
        <source>an old log</source>
        <translation>旧日志</translation>
    </message>
    <message>
        <source>cannot tell whether the chosen checkpoints are unchanged: %1</source>
        <translation>无法判断所选的 checkpoint 是否未变：%1</translation>
    </message>
    <message>
        <source>contains only whitespace</source>
        <translation>只有空白</translation>
    </message>
    <message>
        <source>contains zero bytes</source>
        <translation>含有零字节</translation>
    </message>
    <message>
        <source>has no line model_checkpoint_path: &quot;…&quot;</source>
        <translation>没有 model_checkpoint_path: &quot;…&quot; 这一行</translation>
    </message>
    <message>
        <source>holds %1, expected an iteration or &quot;release&quot;</source>
        <translation>内容是 %1，应为迭代数或 &quot;release&quot;</translation>
    </message>
    <message>
        <source>holds %1, which is not a prefix</source>
        <translation>内容是 %1，不是前缀</translation>
    </message>
    <message>
        <source>holds %1, which is not a tag name</source>
        <translation>内容是 %1，不是标签名</translation>
    </message>
    <message>
        <source>it begins with a byte order mark</source>
        <translation>它以字节顺序标记开头</translation>
    </message>
    <message>
        <source>it has Windows line endings</source>
        <translation>它使用 Windows 换行符</translation>
    </message>
    <message>
        <source>its path is empty or too long</source>
        <translation>其路径为空或过长</translation>
    </message>
    <message>
        <source>kubectl does not know this context. &quot;kubectl config get-contexts&quot; lists the known ones; correct kubernetes.context in the job file</source>
        <translation>kubectl 不认识这个 context。&quot;kubectl config get-contexts&quot; 会列出已知的；请更正作业文件中的 kubernetes.context</translation>
    </message>
    <message>
        <source>kubectl does not trust the cluster&apos;s certificate. Ask for the right kubeconfig; do not turn off the check</source>
        <translation>kubectl 不信任集群的证书。请索取正确的 kubeconfig；不要关闭检查</translation>
    </message>
    <message>
        <source>kubectl has no usable configuration there. Set kubernetes.kubeconfig in the job file to its path, or log in to the cluster with kubectl first</source>
        <translation>kubectl 在那里没有可用的配置。请在作业文件中把 kubernetes.kubeconfig 设为其路径，或先用 kubectl 登录集群</translation>
    </message>
    <message>
        <source>names %1, which is a path; expected a prefix in the same directory</source>
        <translation>指向 %1，是一个路径，而不是该文件旁边的前缀</translation>
    </message>
    <message>
        <source>names %1, which is a path; expected the name of a tag in the same directory</source>
        <translation>指向 %1，是一个路径，而不是该文件旁边的标签名</translation>
    </message>
    <message>
        <source>names %1, but %2 is newer: that save was not registered, or someone went back to an older one on purpose</source>
        <translation>指向 %1，而 %2 更新：它的保存没有登记，或有人有意回退</translation>
    </message>
    <message>
        <source>names %1, but that checkpoint does not exist</source>
        <translation>指向 %1，但那里没有 checkpoint</translation>
    </message>
    <message>
        <source>names %1, which is outside its own directory: the file was copied or moved later</source>
        <translation>指向 %1，在它自己的目录之外：后来被复制或移动过</translation>
    </message>
    <message>
        <source>names %1, which is %2: the framework would try to load it</source>
        <translation>指向 %1，而它是 %2：框架会尝试加载它</translation>
    </message>
    <message>
        <source>names %1; %2</source>
        <translation>指向 %1；%2</translation>
    </message>
    <message>
        <source>rank %1 is beyond the world size of %2</source>
        <translation>rank %1 超出了 world size %2</translation>
    </message>
    <message>
        <source>rank %1 is also in another group</source>
        <translation>rank %1 也在另一个组中</translation>
    </message>
    <message>
        <source>ranks %1 and %2 have the same values in %3, but another rank has different values. Each rank should have its own piece, so one file may be a copy</source>
        <translation>rank %1 和 %2 在 %3 中的值相同，而另一个 rank 有自己的值。每个 rank 有自己的一份，因此其中一个文件可能是副本</translation>
    </message>
    <message>
        <source>the API server does not answer; Rankdeck tries again</source>
        <translation>API server 没有应答；Rankdeck 会重试</translation>
    </message>
    <message>
        <source>the cluster cannot answer now; Rankdeck tries again</source>
        <translation>集群现在无法应答；Rankdeck 会重试</translation>
    </message>
    <message>
        <source>the cluster does not accept kubectl&apos;s login: the login has expired, or belongs to another cluster. Log in again with kubectl, then retry</source>
        <translation>集群不接受 kubectl 的登录：登录已过期，或属于另一个集群。请用 kubectl 重新登录，然后重试</translation>
    </message>
    <message>
        <source>the file for rank %1 lists a different group</source>
        <translation>rank %1 的文件与此不符</translation>
    </message>
    <message>
        <source>the group with ranks %1 is ignored: %2</source>
        <translation>含 rank %1 的组不算：%2</translation>
    </message>
    <message>
        <source>the new attempt would write over it</source>
        <translation>新的一次运行会覆盖它</translation>
    </message>
    <message>
        <source>the plan puts a copy of the chosen set there for each rank. Its global_step fits the optimizer, and the tags of the last stop are 0. The first losses show whether it was loaded</source>
        <translation>计划会为每个 rank 在那里放一份所选整组的副本。其 global_step 与优化器相符，上次停止的标签为 0。最初的 loss 会显示它是否已加载</translation>
    </message>
    <message>
        <source>this login may not do that in the cluster. Ask for the missing role from docs/kubernetes.md: one is for watching (get on pods, create on pods/exec), one for acting (get and update on configmaps)</source>
        <translation>此登录无权在集群中这样做。请索取 docs/kubernetes.md 中缺少的角色：一个用于查看（pods 的 get，pods/exec 的 create），一个用于操作（configmaps 的 get 和 update）</translation>
    </message>
    <message>
        <source>%1: %2 was written over a longer number without truncating the file, so the file is not used</source>
        <translation>%1：%2 覆盖了更长的数字，而文件没有被截断。未使用</translation>
    </message>
    <message>
        <source>%1 %2 is above the old loss curve (%3 + %4)</source>
        <translation>%1为 %2，高于旧曲线（%3 + %4）</translation>
    </message>
    <message>
        <source>%1 after all commands had been started. The run was being stopped because it did not continue from the set; check whether it is still running.</source>
        <translation>%1，当时所有命令均已启动；因它没有自该整组继续，正在停止它：请检查它是否仍在运行。</translation>
    </message>
    <message>
        <source>%1 after all commands had been started; no console has watched for the proof.</source>
        <translation>%1，当时所有命令均已启动；没有控制台观察过证明。</translation>
    </message>
    <message>
        <source>%1 and the run goes on, but %2 may still hold the request. The run stops as soon as every rank has one.</source>
        <translation>%1，运行继续，但 %2 可能仍持有请求。所有 rank 都持有请求后，运行就会停止。</translation>
    </message>
    <message>
        <source>%1 are gone</source>
        <translation>%1 个 rank 已退出</translation>
    </message>
    <message>
        <source>%1 are skipped</source>
        <translation>%1 被跳过</translation>
    </message>
    <message>
        <source>%1 are running now</source>
        <translation>%1 现在正在运行</translation>
    </message>
    <message>
        <source>%1 are trained again</source>
        <translation>%1 重新训练</translation>
    </message>
    <message>
        <source>%1 before the launch; all files were put back where they were.</source>
        <translation>%1，当时尚未启动；所有文件已放回原处。</translation>
    </message>
    <message>
        <source>%1 before the launch; not everything could be put back: %2.</source>
        <translation>%1，当时尚未启动；未能全部放回：%2。</translation>
    </message>
    <message>
        <source>%1 commands started</source>
        <translation>已启动 %1 个命令</translation>
    </message>
    <message>
        <source>%1 commands, %2 file steps, %3 edits</source>
        <translation>%1 个命令，%2 个文件步骤，%3 处修改</translation>
    </message>
    <message>
        <source>%1 continue from the set.</source>
        <translation>%1 自该整组继续。</translation>
    </message>
    <message>
        <source>%1 continues from the set.</source>
        <translation>%1 自该整组继续。</translation>
    </message>
    <message>
        <source>%1 could not be read on node %2, so Rankdeck cannot tell whether it passes the checkpoint on</source>
        <translation>无法读取节点 %2 上的 %1，因此 Rankdeck 无法得知它是否传递 checkpoint</translation>
    </message>
    <message>
        <source>%1 d %2 h</source>
        <translation>%1 天 %2 小时</translation>
    </message>
    <message>
        <source>%1 did not confirm within %2.</source>
        <translation>%1 未在 %2 内确认。</translation>
    </message>
    <message>
        <source>%1 ended at once with exit code %2%3</source>
        <translation>%1 立即以退出码 %2 结束%3</translation>
    </message>
    <message>
        <source>%1 ends with a checksum of its bytes, which a corrected copy would not match</source>
        <translation>%1 以其字节的校验和结尾，更正后的副本会与之不符</translation>
    </message>
    <message>
        <source>%1 files on %2 nodes</source>
        <translation>%2 个节点上的 %1 个文件</translation>
    </message>
    <message>
        <source>%1 files on 1 node</source>
        <translation>1 个节点上的 %1 个文件</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分</translation>
    </message>
    <message>
        <source>%1 had already confirmed the stop: the run is stopping.</source>
        <translation>%1 已确认停止：运行正在停止。</translation>
    </message>
    <message>
        <source>%1 in the middle of the launch; %2. All files were put back where they were.</source>
        <translation>%1，当时正在启动命令；%2。所有文件已放回原处。</translation>
    </message>
    <message>
        <source>%1 in the middle of the launch; %2: end it, then resume again.</source>
        <translation>%1，当时正在启动命令；%2：请结束它，然后再次续训。</translation>
    </message>
    <message>
        <source>%1 in the middle of the launch; the next resume or stop undoes what it did.</source>
        <translation>%1，当时正在启动命令；下一次续训或停止会撤销它所做的更改。</translation>
    </message>
    <message>
        <source>%1 is gone</source>
        <translation>%1 已消失</translation>
    </message>
    <message>
        <source>%1 is skipped</source>
        <translation>%1 被跳过</translation>
    </message>
    <message>
        <source>%1 is running now</source>
        <translation>%1 现在正在运行</translation>
    </message>
    <message>
        <source>%1 is trained again</source>
        <translation>%1 重新训练</translation>
    </message>
    <message>
        <source>%1 late</source>
        <translation>迟 %1</translation>
    </message>
    <message>
        <source>%1 late, stopped by a signal (state T)</source>
        <translation>迟 %1，被信号停住（状态 T）</translation>
    </message>
    <message>
        <source>%1 points to %2</source>
        <translation>%1 指向 %2</translation>
    </message>
    <message>
        <source>%1 may have been sent: %2</source>
        <translation>%1 可能已发送：%2</translation>
    </message>
    <message>
        <source>%1 may have reached the process: %2</source>
        <translation>%1 可能已到达它：%2</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 分</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 分 %2 秒</translation>
    </message>
    <message>
        <source>%1 names the checkpoint</source>
        <translation>%1 指明该 checkpoint</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1/%2</translation>
    </message>
    <message>
        <source>%1 of %2 commands had been started and were ended</source>
        <translation>%2 个命令中有 %1 个已启动，并已被结束</translation>
    </message>
    <message>
        <source>%1 on node %2</source>
        <translation>节点 %2 上的 %1</translation>
    </message>
    <message>
        <source>%1 on node %2 is still running</source>
        <translation>节点 %2 上的 %1 仍在运行</translation>
    </message>
    <message>
        <source>%1 ranks confirmed, %2 are gone</source>
        <translation>%1 个 rank 已确认，%2 个已退出</translation>
    </message>
    <message>
        <source>%1 refused the login as %2. It accepts: %3. Offered: %4.</source>
        <translation>%1 拒绝了以 %2 身份的登录。它接受：%3。已尝试：%4。</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 发往 %2</translation>
    </message>
    <message>
        <source>%1 to exactly %2 processes, each checked by pid, start time and boot at the moment of the signal</source>
        <translation>向恰好 %2 个进程发送 %1，发信号时逐一核对其 pid、启动时刻和节点的本次启动</translation>
    </message>
    <message>
        <source>%1 uses no arguments (no &quot;$@&quot;), so its script does not get the checkpoint</source>
        <translation>%1 不使用参数（没有 &quot;$@&quot;），因此其脚本得不到该 checkpoint</translation>
    </message>
    <message>
        <source>%1 was not sent: %2</source>
        <translation>%1 未发送：%2</translation>
    </message>
    <message>
        <source>%1 when the action is run.</source>
        <translation>执行后：%1。</translation>
    </message>
    <message>
        <source>%1 with %2 on %3</source>
        <translation>%1，%2（在 %3 上）</translation>
    </message>
    <message>
        <source>%1, %2 files to copy</source>
        <translation>%1，要复制 %2 个文件</translation>
    </message>
    <message>
        <source>%1, %2 processes to end</source>
        <translation>%1，要结束 %2 个进程</translation>
    </message>
    <message>
        <source>%1, %2, in set %3: %4</source>
        <translation>%1，%2，属于整组 %3：%4</translation>
    </message>
    <message>
        <source>%1, but %2 is newer than the chosen set and is in the same place</source>
        <translation>%1，但%2比所选整组更新，且在同一位置</translation>
    </message>
    <message>
        <source>%1, but %2 may still hold the request. The run stops as soon as every rank has one.</source>
        <translation>%1，但 %2 可能仍持有请求。所有 rank 都持有请求后，运行就会停止。</translation>
    </message>
    <message>
        <source>%1, but ranks had already confirmed: the run is stopping.</source>
        <translation>%1，但已有 rank 确认：运行正在停止。</translation>
    </message>
    <message>
        <source>%1, but the script could not be read, so the save that it would load is unknown</source>
        <translation>%1，但无法读取脚本，因此不知它会加载哪次保存</translation>
    </message>
    <message>
        <source>%1, exit code %2</source>
        <translation>%1，退出码 %2</translation>
    </message>
    <message>
        <source>%1, log %2</source>
        <translation>%1，日志 %2</translation>
    </message>
    <message>
        <source>%1, no log file</source>
        <translation>%1，没有日志文件</translation>
    </message>
    <message>
        <source>%1, so nothing is put back</source>
        <translation>%1，因此没有放回任何内容</translation>
    </message>
    <message>
        <source>%1, started %2</source>
        <translation>%1，启动于 %2</translation>
    </message>
    <message>
        <source>%1, the chosen set</source>
        <translation>%1，即所选整组</translation>
    </message>
    <message>
        <source>%1, user %2</source>
        <translation>%1，用户 %2</translation>
    </message>
    <message>
        <source>%1, which is not the file of the chosen set</source>
        <translation>%1，而它不是所选整组的文件</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>%1. Nothing was done.</source>
        <translation>%1。没有执行任何操作。</translation>
    </message>
    <message>
        <source>%1. Nothing was written.</source>
        <translation>%1。没有写入任何内容。</translation>
    </message>
    <message>
        <source>%1. Then Rankdeck judges it and plans the resume from it</source>
        <translation>%1。之后会判定它，并制定由它续训的计划</translation>
    </message>
    <message>
        <source>%1: %2 on %3 nodes</source>
        <translation>%1：%2，在 %3 个节点上</translation>
    </message>
    <message>
        <source>%1: %2 on 1 node</source>
        <translation>%1：%2，在 1 个节点上</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1：%2。</translation>
    </message>
    <message>
        <source>%1: a silent start from zero</source>
        <translation>%1：无提示地从零开始</translation>
    </message>
    <message>
        <source>%1: command line not readable</source>
        <translation>%1：无法读取命令行</translation>
    </message>
    <message>
        <source>%1: its global_step is a single %2 of %3, but its record differs from those that MindSpore appends. It is left unchanged, so the optimizer may refuse it</source>
        <translation>%1：其 global_step 是单个 %2（%3），其记录与 MindSpore 追加的数字不同。它保持不变，因此优化器可能拒绝它</translation>
    </message>
    <message>
        <source>%1: there is nothing to cancel.</source>
        <translation>%1：没有可取消的停止。</translation>
    </message>
    <message>
        <source>%1; %2 are running now, so nothing is put back.</source>
        <translation>%1；%2 现在正在运行，因此没有放回任何内容。</translation>
    </message>
    <message>
        <source>%1; %2 are still running: cancel the request, or stop again to wait for the proof.</source>
        <translation>%1；%2 仍在运行：请取消该请求，或再次停止以等待证明。</translation>
    </message>
    <message>
        <source>%1; %2 is running now, so nothing is put back.</source>
        <translation>%1；%2 现在正在运行，因此没有放回任何内容。</translation>
    </message>
    <message>
        <source>%1; %2 is still running: cancel the request, or stop again to wait for the proof.</source>
        <translation>%1；%2 仍在运行：请取消该请求，或再次停止以等待证明。</translation>
    </message>
    <message>
        <source>%1; %2 may still hold the request.</source>
        <translation>%1；%2 可能仍持有请求。</translation>
    </message>
    <message>
        <source>%1; %2 on %3</source>
        <translation>%1；%2（在 %3 上）</translation>
    </message>
    <message>
        <source>%1; %2 on %3%4.</source>
        <translation>%1；%2（在 %3 上）%4。</translation>
    </message>
    <message>
        <source>%1; %2, and %3 on %4.</source>
        <translation>%1；%2，%3（在 %4 上）。</translation>
    </message>
    <message>
        <source>%1; %2, so nothing is put back.</source>
        <translation>%1；%2，因此没有放回任何内容。</translation>
    </message>
    <message>
        <source>%1; %2.</source>
        <translation>%1；%2。</translation>
    </message>
    <message>
        <source>%1; %2. The next stop, cancel or resume corrects that.</source>
        <translation>%1；%2。下一次停止、取消或续训会更正它。</translation>
    </message>
    <message>
        <source>%1; all files are back where they were</source>
        <translation>%1；所有文件已放回原处</translation>
    </message>
    <message>
        <source>%1; and %2 more</source>
        <translation>%1；另有 %2 项</translation>
    </message>
    <message>
        <source>%1; cannot tell whether its command is running on node %2 (%3), so nothing is stopped or put back.</source>
        <translation>%1；无法得知其命令是否在节点 %2 上运行（%3），因此没有停止或放回任何内容。</translation>
    </message>
    <message>
        <source>%1; cannot tell whether its command is running on node %2, so nothing is stopped or put back.</source>
        <translation>%1；无法得知其命令是否在节点 %2 上运行，因此没有停止或放回任何内容。</translation>
    </message>
    <message>
        <source>%1; cannot tell whether the ranks are still running.</source>
        <translation>%1；无法得知各 rank 是否仍在运行。</translation>
    </message>
    <message>
        <source>%1; nothing is written on a node</source>
        <translation>%1；不在节点上写入任何内容</translation>
    </message>
    <message>
        <source>%1; this may be noise until %2 losses are available</source>
        <translation>%1；在得到 %2 个 loss 之前，这可能只是噪声</translation>
    </message>
    <message>
        <source>%1; the job file no longer contains the path of its config.</source>
        <translation>%1；作业文件不再含有其配置的路径。</translation>
    </message>
    <message>
        <source>%1; the next resume or stop undoes what it did.</source>
        <translation>%1；下一次续训或停止会撤销它所做的更改。</translation>
    </message>
    <message>
        <source>%1; the request could not be taken back everywhere.</source>
        <translation>%1；未能在所有位置撤回请求。</translation>
    </message>
    <message>
        <source>%1; the run goes on, but %2 may still hold the request.</source>
        <translation>%1；运行继续，但 %2 可能仍持有请求。</translation>
    </message>
    <message>
        <source>, which cannot be reached now</source>
        <translation>，现在无法到达那里</translation>
    </message>
    <message>
        <source>1 file on 1 node</source>
        <translation>1 个节点上的 1 个文件</translation>
    </message>
    <message>
        <source>: %1 cannot be read (%2)</source>
        <translation>：无法读取 %1（%2）</translation>
    </message>
    <message>
        <source>; %1 ends with: %2</source>
        <translation>；%1 的末尾为：%2</translation>
    </message>
    <message>
        <source>; OnRequestExit alone cannot load it: %1</source>
        <translation>；单靠 OnRequestExit 无法加载它：%1</translation>
    </message>
    <message>
        <source>A signal that has reached a process cannot be taken back. The script decides whether the ranks stop.</source>
        <translation>已到达进程的信号无法撤回。各 rank 是否停止由脚本决定。</translation>
    </message>
    <message>
        <source>All %1 ranks confirmed and are gone. No save was requested: the script&apos;s OnRequestExit has save_ckpt=False.</source>
        <translation>全部 %1 个 rank 已确认并已退出。未要求保存：脚本的 OnRequestExit 设为 save_ckpt=False。</translation>
    </message>
    <message>
        <source>All %1 ranks confirmed, saved %2 (VALID) and are gone.</source>
        <translation>全部 %1 个 rank 已确认、已保存%2（有效）并已退出。</translation>
    </message>
    <message>
        <source>All %1 ranks continue from %2.</source>
        <translation>全部 %1 个 rank 自%2继续。</translation>
    </message>
    <message>
        <source>All %1 ranks saved %2 (VALID) and are gone; %3.</source>
        <translation>全部 %1 个 rank 已保存%2（有效）并已退出；%3。</translation>
    </message>
    <message>
        <source>All ranks are gone, but the stop is not proven: check the newest VALID set before resuming.</source>
        <translation>所有 rank 已退出，但停止未证实：续训前请检查最新有效整组。</translation>
    </message>
    <message>
        <source>All ranks had already confirmed the stop: the run is stopping.</source>
        <translation>所有 rank 均已确认停止：运行正在停止。</translation>
    </message>
    <message>
        <source>All ranks had read the request, and MindSpore never drops a request: the run stops at one of its next steps.</source>
        <translation>所有 rank 均已读取它，而 MindSpore 不会忘记请求：运行会在之后的某一步停止。</translation>
    </message>
    <message>
        <source>Another attempt of this job has been started since (%1, rank %2, pid %3): no signal was sent.</source>
        <translation>此后已启动此作业的另一次运行（%1，rank %2，pid %3）：没有发送信号。</translation>
    </message>
    <message>
        <source>Another program or console has taken the request back while this console waited</source>
        <translation>在此次停止等待期间，另一程序或控制台撤回了请求</translation>
    </message>
    <message>
        <source>No signal was sent to processes that appeared after the list was made: %1.</source>
        <translation>在列出之后才出现，因此没有发信号：%1。</translation>
    </message>
    <message>
        <source>Cancelled before anything was done.</source>
        <translation>在执行任何操作之前已取消。</translation>
    </message>
    <message>
        <source>Cancelled before anything was written.</source>
        <translation>在写入任何内容之前已取消。</translation>
    </message>
    <message>
        <source>Cancelled: %1</source>
        <translation>已取消：%1</translation>
    </message>
    <message>
        <source>Cancelled: no rank had read the request; the run goes on.</source>
        <translation>已取消：没有 rank 读取它；运行继续。</translation>
    </message>
    <message>
        <source>Cannot tell whether the set is kept now: check the list of kept sets.</source>
        <translation>无法得知它现在是否保留：请检查保留整组的列表。</translation>
    </message>
    <message>
        <source>Check the user name, and that the key is in authorized_keys there.</source>
        <translation>请检查用户名，以及密钥是否在那里的 authorized_keys 中。</translation>
    </message>
    <message>
        <source>Connecting again.</source>
        <translation>正在重新连接。</translation>
    </message>
    <message>
        <source>GracefulExit still 1</source>
        <translation>GracefulExit 仍为 1</translation>
    </message>
    <message>
        <source>GracefulExit is 1 for %1</source>
        <translation>%1 的 GracefulExit 为 1</translation>
    </message>
    <message>
        <source>No node has GracefulExit set to 1</source>
        <translation>没有节点的 GracefulExit 为 1</translation>
    </message>
    <message>
        <source>GracefulExit is set in the ConfigMap %1, which the cluster copies into the file that OnRequestExit reads at each step</source>
        <translation>在 ConfigMap %1 中设置 GracefulExit，集群将其复制到 OnRequestExit 每一步读取的文件中</translation>
    </message>
    <message>
        <source>GracefulExit is set in the JSON file that OnRequestExit reads at each step</source>
        <translation>在 OnRequestExit 每一步读取的 JSON 文件中设置 GracefulExit</translation>
    </message>
    <message>
        <source>GracefulExit may still be 1</source>
        <translation>GracefulExit 可能仍为 1</translation>
    </message>
    <message>
        <source>GracefulExit was put back to 0</source>
        <translation>GracefulExit 已改回 0</translation>
    </message>
    <message>
        <source>The run was stopped, as requested.</source>
        <translation>已按要求停止它。</translation>
    </message>
    <message>
        <source>Its &quot;kubectl logs&quot; are not shown either: they mix the lines of its %1 ranks and do not name the rank.</source>
        <translation>其“kubectl logs”也不显示：其中 %1 个 rank 的行混在一起，且不标明所属 rank。</translation>
    </message>
    <message>
        <source>Protect set %1 from rotation</source>
        <translation>保留整组 %1，使其不被轮换删除</translation>
    </message>
    <message>
        <source>Left behind: %1</source>
        <translation>遗留：%1</translation>
    </message>
    <message>
        <source>May still be running: %1.</source>
        <translation>可能仍在运行：%1。</translation>
    </message>
    <message>
        <source>NOT PROVEN: all commands ended with exit code 0, but nothing shows that %1 was loaded. An exit code proves nothing.</source>
        <translation>未证实：所有命令均以退出码 0 结束，但没有任何迹象表明加载了%1。退出码不能证明什么。</translation>
    </message>
    <message>
        <source>NOT PROVEN: the run does not continue from %1.</source>
        <translation>未证实：运行没有自%1继续。</translation>
    </message>
    <message>
        <source>No python3 of version 3.6 or newer was found on %1; the node needs nothing else. Install it, or set &quot;python&quot; in the job file. The node said: %2</source>
        <translation>在 %1 上没有找到 3.6 或更新版本的 python3；该节点不需要其他任何东西。请安装它，或在作业文件中设置 &quot;python&quot;。节点的输出：%2</translation>
    </message>
    <message>
        <source>No save by %1 was seen within %2.</source>
        <translation>%2 内没有看到 %1 的保存。</translation>
    </message>
    <message>
        <source>Node %1: %2.</source>
        <translation>节点 %1：%2。</translation>
    </message>
    <message>
        <source>Its output cannot be followed either: %1</source>
        <translation>也无法跟踪其输出：%1</translation>
    </message>
    <message>
        <source>Not every request could be taken back</source>
        <translation>并非所有请求都已撤回</translation>
    </message>
    <message>
        <source>Not everything could be put back: %1.</source>
        <translation>未能全部放回：%1。</translation>
    </message>
    <message>
        <source>Note: %1.</source>
        <translation>注意：%1。</translation>
    </message>
    <message>
        <source>Nothing is left behind.</source>
        <translation>没有任何遗留。</translation>
    </message>
    <message>
        <source>Nothing was started: %1. %2.</source>
        <translation>没有启动任何命令：%1。%2。</translation>
    </message>
    <message>
        <source>Nothing was started: %1. All files are back where they were.</source>
        <translation>没有启动任何命令：%1。所有文件已放回原处。</translation>
    </message>
    <message>
        <source>Nothing was started: %1. Not everything could be put back: %2. The next resume or stop of this job tries again.</source>
        <translation>没有启动任何命令：%1。未能全部放回：%2。此作业的下一次续训或停止会重试。</translation>
    </message>
    <message>
        <source>Nothing was started: the job could not be reserved: %1.</source>
        <translation>没有启动任何命令：无法占用作业：%1。</translation>
    </message>
    <message>
        <source>Nothing was taken back: %1 on %2%3.</source>
        <translation>没有撤回任何请求：%1（在 %2 上）%3。</translation>
    </message>
    <message>
        <source>OnRequestExit loads .ckpt files, and the set has a different format</source>
        <translation>OnRequestExit 加载 .ckpt 文件，而该整组为其他格式</translation>
    </message>
    <message>
        <source>OnRequestExit of rank %1 looks for %2 or %3, but neither exists: write {rank} instead of {device} in graceful_exit.saves</source>
        <translation>rank %1 的 OnRequestExit 查找 %2 或 %3，两者都没有找到：请在 graceful_exit.saves 中用 {rank} 代替 {device}</translation>
    </message>
    <message>
        <source>Rankdeck follows only its output, with &quot;kubectl logs&quot;: its processes, files and checkpoints are unknown.</source>
        <translation>只用“kubectl logs”跟踪其输出：其进程、文件和 checkpoint 未知。</translation>
    </message>
    <message>
        <source>Put back set %1</source>
        <translation>放回整组 %1</translation>
    </message>
    <message>
        <source>Rank %1: %2.</source>
        <translation>rank %1：%2。</translation>
    </message>
    <message>
        <source>SIG%1 is sent to every rank&apos;s process, and to no other process</source>
        <translation>向每个 rank 的进程发送 SIG%1，不发给其他进程</translation>
    </message>
    <message>
        <source>Set %1 is being put back.</source>
        <translation>正在放回整组 %1。</translation>
    </message>
    <message>
        <source>Set %1, %2, is back among the checkpoints</source>
        <translation>整组 %1（%2）已放回 checkpoint 之中</translation>
    </message>
    <message>
        <source>Set %1, %2, is kept beside the checkpoints</source>
        <translation>整组 %1（%2）已保留在 checkpoint 旁边</translation>
    </message>
    <message>
        <source>Set %1, %2, is no longer kept</source>
        <translation>整组 %1（%2）不再保留</translation>
    </message>
    <message>
        <source>Slurm is sending the signal.</source>
        <translation>Slurm 正在发送信号。</translation>
    </message>
    <message>
        <source>Started, but not proven within %1.</source>
        <translation>已启动，但未在 %1 内证实。</translation>
    </message>
    <message>
        <source>Started, but the console stopped watching before the proof.</source>
        <translation>已启动；控制台在得到证明之前停止了观察。</translation>
    </message>
    <message>
        <source>Stop keeping set %1</source>
        <translation>不再保留整组 %1</translation>
    </message>
    <message>
        <source>The %1 of %2 (%3, by %4) was interrupted</source>
        <translation>%2 的 %1（%3，由 %4 发起）被中断</translation>
    </message>
    <message>
        <source>The %1 of %2 by %3 may still be in progress.</source>
        <translation>%3 在 %2 发起的 %1 可能仍在进行中。</translation>
    </message>
    <message>
        <source>The ConfigMap has been written; the ranks read it at the first step after the cluster has copied it.</source>
        <translation>ConfigMap 已写入；各 rank 会在集群复制它之后的第一步读取它。</translation>
    </message>
    <message>
        <source>The action could not be written into the journal: %1</source>
        <translation>无法将该操作写入操作记录：%1</translation>
    </message>
    <message>
        <source>The stop request has been taken back, but %1 may still hold it.</source>
        <translation>停止请求已撤回，但 %1 可能仍持有它。</translation>
    </message>
    <message>
        <source>The stop request has been written; the ranks read it at their next step.</source>
        <translation>停止请求已写入；各 rank 会在下一步读取它。</translation>
    </message>
    <message>
        <source>GracefulExit is 0 again</source>
        <translation>GracefulExit 已改回 0</translation>
    </message>
    <message>
        <source>The stop request could not be taken back everywhere, and %1 may still hold it.</source>
        <translation>未能在各处撤回停止请求，%1 可能仍持有它。</translation>
    </message>
    <message>
        <source>The launch failed: %1. %2: end it by hand; the files stay as the plan left them.</source>
        <translation>启动失败：%1。%2：请手动结束它；文件保持计划所置的状态。</translation>
    </message>
    <message>
        <source>The launcher is collecting its workers.</source>
        <translation>启动器正在等待其工作进程结束。</translation>
    </message>
    <message>
        <source>The login on %1 allows file transfer only; Rankdeck needs one that runs commands. The node said: %2</source>
        <translation>%1 上的登录只允许传输文件；Rankdeck 需要能运行命令的登录。节点的输出：%2</translation>
    </message>
    <message>
        <source>The new attempt ended before it was proven: %1.</source>
        <translation>新的运行在得到证明之前已结束：%1。</translation>
    </message>
    <message>
        <source>The probe had not started.</source>
        <translation>探针当时尚未启动。</translation>
    </message>
    <message>
        <source>The probe had not started. The node said: %1</source>
        <translation>探针当时尚未启动。节点的输出：%1</translation>
    </message>
    <message>
        <source>The process of %1 may still be running.</source>
        <translation>%1 的进程可能仍在运行。</translation>
    </message>
    <message>
        <source>The request may still be set in %1: take it back before the next start, or the run stops after its first step.</source>
        <translation>%1 中可能仍设有请求：请在下一次启动之前撤回它，否则运行会在第一步之后停止。</translation>
    </message>
    <message>
        <source>The request was taken back at once.</source>
        <translation>请求已立即撤回。</translation>
    </message>
    <message>
        <source>The saved files did not become a VALID set within %1.</source>
        <translation>保存的文件未在 %1 内成为有效整组。</translation>
    </message>
    <message>
        <source>The signal cannot be taken back: %1 may still stop.</source>
        <translation>信号无法撤回：%1 仍可能停止。</translation>
    </message>
    <message>
        <source>The signal has been sent.</source>
        <translation>信号已发送。</translation>
    </message>
    <message>
        <source>The signal may have been sent through Slurm: %1.</source>
        <translation>信号可能已通过 Slurm 发送：%1。</translation>
    </message>
    <message>
        <source>The stop could not be requested everywhere: %1</source>
        <translation>未能在所有位置请求停止：%1</translation>
    </message>
    <message>
        <source>The stop was ended here; a signal that was already sent cannot be taken back.</source>
        <translation>停止到此结束；已发送的信号无法撤回。</translation>
    </message>
    <message>
        <source>The stop file has been removed</source>
        <translation>停止文件已删除</translation>
    </message>
    <message>
        <source>No node has the stop file</source>
        <translation>没有节点有停止文件</translation>
    </message>
    <message>
        <source>the stop file may still exist</source>
        <translation>停止文件可能仍在</translation>
    </message>
    <message>
        <source>The stop request is still set on %1, as before: take it back before the next start, or the run stops after its first step.</source>
        <translation>%1 上仍设有停止请求，与之前相同：请在下一次启动之前撤回它，否则运行会在第一步之后停止。</translation>
    </message>
    <message>
        <source>This job is stopped with a signal, which cannot be taken back.</source>
        <translation>此作业以信号停止，信号无法撤回。</translation>
    </message>
    <message>
        <source>Waiting for the newest set.</source>
        <translation>正在等待最新整组。</translation>
    </message>
    <message>
        <source>Waiting to see whether the run has ended.</source>
        <translation>正在等待，以确定运行是否已结束。</translation>
    </message>
    <message>
        <source>&quot;GracefulExit&quot;: 1 is written into %1; it is put back to 0 when all ranks are gone</source>
        <translation>&quot;GracefulExit&quot;: 1 会写入 %1；所有 rank 退出后改回 0</translation>
    </message>
    <message>
        <source>all commands had been started; no proof was seen</source>
        <translation>所有命令均已启动；没有看到证明</translation>
    </message>
    <message>
        <source>all pods see the ConfigMap %1 after it was written</source>
        <translation>ConfigMap 写入后经 %1，所有 pod 均已看到它</translation>
    </message>
    <message>
        <source>all ranks are gone</source>
        <translation>所有 rank 已退出</translation>
    </message>
    <message>
        <source>all ranks logged the exit</source>
        <translation>所有 rank 的日志均已记录退出</translation>
    </message>
    <message>
        <source>an argument</source>
        <translation>一个参数</translation>
    </message>
    <message>
        <source>another program has taken the stop request back</source>
        <translation>另一程序已撤回停止请求</translation>
    </message>
    <message>
        <source>cannot tell whether %1 is running on node %2</source>
        <translation>无法得知 %1 是否在节点 %2 上运行</translation>
    </message>
    <message>
        <source>cannot tell whether another attempt is running: %1</source>
        <translation>无法得知另一次运行是否正在运行：%1</translation>
    </message>
    <message>
        <source>cannot tell whether the launched workers are still running (%1)</source>
        <translation>无法得知其工作进程是否仍在运行（%1）</translation>
    </message>
    <message>
        <source>cannot tell whether the job submitted by %1 on node %2 is running, because the submitter was killed</source>
        <translation>节点 %2 上的 %1 已被杀死，因此无法得知它所提交的作业是否在运行</translation>
    </message>
    <message>
        <source>confirmed</source>
        <translation>已确认</translation>
    </message>
    <message>
        <source>finished the edits and file steps</source>
        <translation>修改和文件步骤已完成</translation>
    </message>
    <message>
        <source>starting the edits and file steps</source>
        <translation>修改和文件步骤开始</translation>
    </message>
    <message>
        <source>expected to start %1 on node %2, but it had already been started</source>
        <translation>应在节点 %2 上启动 %1，而它此前已启动</translation>
    </message>
    <message>
        <source>continues at epoch %1, step %2; %3</source>
        <translation>自 epoch %1 step %2 继续；%3</translation>
    </message>
    <message>
        <source>gone</source>
        <translation>已退出</translation>
    </message>
    <message>
        <source>gone; its log has no exit line</source>
        <translation>已退出；其日志没有退出行</translation>
    </message>
    <message>
        <source>had not read the request</source>
        <translation>没有读取它</translation>
    </message>
    <message>
        <source>had read the request and stops</source>
        <translation>已读取它，正在停止</translation>
    </message>
    <message>
        <source>has read the request</source>
        <translation>已读取请求</translation>
    </message>
    <message>
        <source>it counts its steps from %1 although it loaded the set</source>
        <translation>尽管加载了该整组，它的 step 从 %1 计起</translation>
    </message>
    <message>
        <source>it is an argument of the -c line, which uses no arguments (no &quot;$@&quot;)</source>
        <translation>它是 -c 命令行的参数，而该行不使用参数（没有 &quot;$@&quot;）</translation>
    </message>
    <message>
        <source>it is passed to %1, which does not train</source>
        <translation>它被交给 %1，而后者不训练</translation>
    </message>
    <message>
        <source>it started at step %1, expected the step after %2</source>
        <translation>它从 step %1 开始，应为 step %2 的下一步</translation>
    </message>
    <message>
        <source>its first loss</source>
        <translation>其首个 loss 值</translation>
    </message>
    <message>
        <source>its log lines contain no loss to compare</source>
        <translation>其日志行没有可比较的 loss</translation>
    </message>
    <message>
        <source>its log says that it loaded a different checkpoint: %1</source>
        <translation>其日志表明它加载了另一个 checkpoint：%1</translation>
    </message>
    <message>
        <source>its log says that it loaded nothing: %1</source>
        <translation>其日志表明它什么也没有加载：%1</translation>
    </message>
    <message>
        <source>its loss could not be compared: the old loss curve is unknown there</source>
        <translation>无法比较其 loss：该处的旧曲线未知</translation>
    </message>
    <message>
        <source>its loss line for step %1 is the second since the request was written</source>
        <translation>其 step %1 的 loss 行是写入请求之后的第二行</translation>
    </message>
    <message>
        <source>its process is no longer found</source>
        <translation>已找不到其进程</translation>
    </message>
    <message>
        <source>its request had been taken back elsewhere</source>
        <translation>其请求已在别处撤回</translation>
    </message>
    <message>
        <source>its script counts from epoch 1 again; its losses show that it loaded the set</source>
        <translation>其脚本又从 epoch 1 计起；其 loss 表明它加载了该整组</translation>
    </message>
    <message>
        <source>launch.command gives the checkpoint to %1, which is not a readable script, and not as the value of an option such as --resume. Cannot tell whether the training program gets it</source>
        <translation>launch.command 将 checkpoint 交给 %1，而它不是能读取的脚本。不知训练的程序是否得到它：它不是 --resume 之类选项的值</translation>
    </message>
    <message>
        <source>launch.command gives the script the checkpoint</source>
        <translation>launch.command 将 checkpoint 交给脚本</translation>
    </message>
    <message>
        <source>launch.command gives the script the checkpoint, but the script reads no arguments, loads nothing itself and does not pass the arguments on</source>
        <translation>launch.command 将 checkpoint 交给脚本，但脚本不读取参数，自己不加载任何内容，也不传递参数</translation>
    </message>
    <message>
        <source>launch.command names neither {checkpoint} nor {checkpoint_dir}</source>
        <translation>launch.command 既没有 {checkpoint} 也没有 {checkpoint_dir}</translation>
    </message>
    <message>
        <source>launch.command names the checkpoint, but %1</source>
        <translation>launch.command 指明了 checkpoint，但%1</translation>
    </message>
    <message>
        <source>may still be running: %1</source>
        <translation>可能仍在运行：%1</translation>
    </message>
    <message>
        <source>may still hold the request</source>
        <translation>可能仍持有请求</translation>
    </message>
    <message>
        <source>neither launch.command nor the script names %1, the launch.config file that contains the checkpoint path</source>
        <translation>launch.command 和脚本都没有指明 %1，即得到 checkpoint 的 launch.config 文件</translation>
    </message>
    <message>
        <source>no log line from the new attempt yet</source>
        <translation>新的运行还没有日志行</translation>
    </message>
    <message>
        <source>no line in the script loads a checkpoint</source>
        <translation>脚本中没有任何一行加载 checkpoint</translation>
    </message>
    <message>
        <source>no line in the script shows that it loads from the set&apos;s directory</source>
        <translation>脚本中没有任何一行表明它从该整组的目录加载</translation>
    </message>
    <message>
        <source>no process of this job was found</source>
        <translation>未找到此作业的进程</translation>
    </message>
    <message>
        <source>no process was found</source>
        <translation>未找到进程</translation>
    </message>
    <message>
        <source>no process was left to signal</source>
        <translation>没有剩下要发信号的进程</translation>
    </message>
    <message>
        <source>no rank</source>
        <translation>没有 rank</translation>
    </message>
    <message>
        <source>no rank had read the request, according to the logs. A rank that read it after its last log line shows that in its next line.</source>
        <translation>日志表明没有 rank 读取请求。如果某个 rank 在其最后一行日志之后读取了它，下一行会表明。</translation>
    </message>
    <message>
        <source>no rank had read the request, according to the logs; the run goes on.</source>
        <translation>日志表明没有 rank 读取请求；运行继续。</translation>
    </message>
    <message>
        <source>no sign that it had read the request</source>
        <translation>没有迹象表明它已读取</translation>
    </message>
    <message>
        <source>no step yet</source>
        <translation>还没有 step</translation>
    </message>
    <message>
        <source>no step yet, and its process was not found</source>
        <translation>还没有 step，且未找到其进程</translation>
    </message>
    <message>
        <source>no step yet: it was trying to reach the scheduler at %1</source>
        <translation>还没有 step：它曾尝试连接 %1 处的调度器</translation>
    </message>
    <message>
        <source>node %1: %2</source>
        <translation>节点 %1：%2</translation>
    </message>
    <message>
        <source>nothing had been done</source>
        <translation>没有执行任何操作</translation>
    </message>
    <message>
        <source>nothing had been started; all files are back where they were</source>
        <translation>没有启动任何命令；所有文件已放回原处</translation>
    </message>
    <message>
        <source>nothing had been written</source>
        <translation>没有写入任何内容</translation>
    </message>
    <message>
        <source>nothing in its log shows that weights were loaded; set logs.resume in the job file to the line that the script prints</source>
        <translation>其日志中没有任何内容表明加载了权重；请将作业文件中的 logs.resume 设为脚本自己的日志行</translation>
    </message>
    <message>
        <source>nothing shows that the ranks on node %1 would load %2, so they may train from zero and overwrite the old checkpoints: %3%4</source>
        <translation>没有任何迹象表明节点 %1 上的 rank 会加载%2，它们可能从零训练并覆盖旧的 checkpoint：%3%4</translation>
    </message>
    <message>
        <source>nothing to write: the stop request is already set, or the config cannot be written</source>
        <translation>没有要写入的内容：停止请求已设置，或无法写入配置</translation>
    </message>
    <message>
        <source>nothing, as no key was found</source>
        <translation>无，因为没有找到密钥</translation>
    </message>
    <message>
        <source>one of its first losses is not a number</source>
        <translation>其最初的 loss 中有一个不是数字</translation>
    </message>
    <message>
        <source>pid %1 (%2, group %3) on node %4</source>
        <translation>节点 %4 上的 pid %1（%2，进程组 %3）</translation>
    </message>
    <message>
        <source>pid %1 (start time %2)</source>
        <translation>pid %1（启动时刻 %2）</translation>
    </message>
    <message>
        <source>pid %1 on node %2 is still running</source>
        <translation>节点 %2 上的 pid %1 仍在运行</translation>
    </message>
    <message>
        <source>pid %1 on node %2 is still waiting for its submitted job to end</source>
        <translation>节点 %2 上的 pid %1 仍在等待它所提交的作业结束</translation>
    </message>
    <message>
        <source>rank %1, %2</source>
        <translation>rank %1，%2</translation>
    </message>
    <message>
        <source>ranks %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>removed the staging directory of an earlier attempt: %1</source>
        <translation>已删除之前一次运行的暂存目录：%1</translation>
    </message>
    <message>
        <source>resume %1 from %2 with the recipe %3</source>
        <translation>以启动方式 %3 自%2续训 %1</translation>
    </message>
    <message>
        <source>saved</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>scancel --signal=%1 %2 on node %3</source>
        <translation>在节点 %3 上运行 scancel --signal=%1 %2</translation>
    </message>
    <message>
        <source>scancel sends SIG%1 to every rank of the Slurm job</source>
        <translation>scancel 向 Slurm 作业的每个 rank 发送 SIG%1</translation>
    </message>
    <message>
        <source>set %1 (%2)</source>
        <translation>整组 %1（%2）</translation>
    </message>
    <message>
        <source>step %1 of epoch %2</source>
        <translation>epoch %2 的 step %1</translation>
    </message>
    <message>
        <source>step %1 of epoch %2 to step %3 of epoch %4</source>
        <translation>epoch %2 的 step %1 至 epoch %4 的 step %3</translation>
    </message>
    <message>
        <source>steps %1 to %2 of epoch %3</source>
        <translation>epoch %3 的 step %1 至 %2</translation>
    </message>
    <message>
        <source>taken over and ended by %1</source>
        <translation>已由 %1 接管并结束</translation>
    </message>
    <message>
        <source>this loses %1 steps (%2)</source>
        <translation>损失 %1 步、%2</translation>
    </message>
    <message>
        <source>the run does not continue from the set: ending the started commands</source>
        <translation>运行没有自该整组继续：正在结束已启动的命令</translation>
    </message>
    <message>
        <source>the answer was lost: %1</source>
        <translation>应答已丢失：%1</translation>
    </message>
    <message>
        <source>the command on node %1 ended with exit code %2%3</source>
        <translation>节点 %1 上的命令以退出码 %2 结束%3</translation>
    </message>
    <message>
        <source>the command on node %1 was ended by signal %2%3</source>
        <translation>节点 %1 上的命令被信号 %2 结束%3</translation>
    </message>
    <message>
        <source>the commands are about to be started</source>
        <translation>即将启动命令</translation>
    </message>
    <message>
        <source>the empty file %1 is created; it is removed when all ranks are gone</source>
        <translation>创建空文件 %1；所有 rank 退出后删除</translation>
    </message>
    <message>
        <source>the environment variable %1 names the checkpoint, but no line in the script reads it</source>
        <translation>环境变量 %1 指明了 checkpoint，而脚本中没有任何一行读取它</translation>
    </message>
    <message>
        <source>the environment variable %1 names the checkpoint, but the script that should read it could not be read</source>
        <translation>环境变量 %1 指明了 checkpoint，而无法读取应读取它的脚本</translation>
    </message>
    <message>
        <source>the environment variable %1, which the script reads, names the checkpoint</source>
        <translation>脚本所读取的环境变量 %1 指明了 checkpoint</translation>
    </message>
    <message>
        <source>the exit line in %1</source>
        <translation>%1 中的退出行</translation>
    </message>
    <message>
        <source>the file %1 is created; the script checks for it</source>
        <translation>创建文件 %1；脚本会检查它</translation>
    </message>
    <message>
        <source>the files stay as the plan left them: %1</source>
        <translation>文件保持计划所置的状态：%1</translation>
    </message>
    <message>
        <source>the job file does not say where OnRequestExit looks for its file (graceful_exit.saves)</source>
        <translation>作业文件没有说明 OnRequestExit 在何处查找其文件（graceful_exit.saves）</translation>
    </message>
    <message>
        <source>the job file defines no way to request a stop</source>
        <translation>作业文件没有请求停止的方式</translation>
    </message>
    <message>
        <source>the launcher is collecting its workers: the resume waits up to %1 s for the launcher to end</source>
        <translation>启动器正在等待其工作进程结束：续训会等待它结束，最多 %1 秒</translation>
    </message>
    <message>
        <source>the lost work is unknown</source>
        <translation>损失的工作未知</translation>
    </message>
    <message>
        <source>the median of its first %1 losses</source>
        <translation>其前 %1 个 loss 的中位数</translation>
    </message>
    <message>
        <source>the plan puts the set into the directory from which OnRequestExit loads</source>
        <translation>计划将该整组放到 OnRequestExit 加载的目录中</translation>
    </message>
    <message>
        <source>the request has been taken back on %1</source>
        <translation>请求已在 %1 上撤回</translation>
    </message>
    <message>
        <source>the request has been taken back on every node</source>
        <translation>请求已在每个节点上撤回</translation>
    </message>
    <message>
        <source>the request is about to be taken back</source>
        <translation>即将撤回请求</translation>
    </message>
    <message>
        <source>the script could not be read on node %1</source>
        <translation>无法读取节点 %1 上的脚本</translation>
    </message>
    <message>
        <source>the script itself chooses what it loads (%1)</source>
        <translation>脚本自己选择要加载的内容（%1）</translation>
    </message>
    <message>
        <source>the script loads from a folder of its own, and the plan leaves only the set there</source>
        <translation>脚本从自己的文件夹加载，而计划只在那里留下该整组</translation>
    </message>
    <message>
        <source>the script loads a checkpoint only with %1, which launch.command does not have</source>
        <translation>脚本只在给出 %1 时才加载，而 launch.command 没有给出</translation>
    </message>
    <message>
        <source>the script loads the newest save, and the plan moves newer ones out of the way</source>
        <translation>脚本加载最新的保存，而计划将更新的移开</translation>
    </message>
    <message>
        <source>the set has epoch %1 but no step, so the log line, the loss and the first epoch must all agree</source>
        <translation>该整组有 epoch %1 而没有 step，因此日志行、loss 和首个 epoch 须全部一致</translation>
    </message>
    <message>
        <source>the stop file has been created for %1</source>
        <translation>%1 已有停止文件</translation>
    </message>
    <message>
        <source>the stop file still present</source>
        <translation>停止文件仍在</translation>
    </message>
    <message>
        <source>the stop file was removed</source>
        <translation>停止文件已删除</translation>
    </message>
    <message>
        <source>the stop request is about to be sent: %1</source>
        <translation>即将发送停止请求：%1</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>waiting for %1</source>
        <translation>等待 %1</translation>
    </message>
    <message>
        <source>was already gone</source>
        <translation>早已退出</translation>
    </message>
    <message>
        <source>%1 before msrun is left out: msrun binds its ranks with --bind_core</source>
        <translation>msrun 之前的 %1 已略去：msrun 用 --bind_core 绑定各 rank</translation>
    </message>
    <message>
        <source>%1 exists only in the pod and is lost when the pod is deleted: mount a volume</source>
        <translation>%1 只在 pod 中，会随 pod 一起丢失：请挂载卷</translation>
    </message>
    <message>
        <source>, probably %1</source>
        <translation>，可能是 %1</translation>
    </message>
    <message>
        <source>a resume reads the vcjob from launch.volcano.file on the node that submits; --write DIR puts the cluster&apos;s object beside the job file</source>
        <translation>续训从提交节点上的 launch.volcano.file 读取 vcjob；--write DIR 把集群中的对象放到作业文件旁边</translation>
    </message>
    <message>
        <source>a resume reads the vcjob from launch.volcano.file on the node that submits; --write DIR puts the cluster&apos;s object beside the job file. Copy it to that node and set launch.volcano.file to it</source>
        <translation>续训从提交节点上的 launch.volcano.file 读取 vcjob；--write DIR 把集群中的对象放到作业文件旁边。请把它复制到该节点，并让 launch.volcano.file 指向它</translation>
    </message>
    <message>
        <source>a second command was not used: %1</source>
        <translation>未使用第二条命令：%1</translation>
    </message>
    <message>
        <source>all ranks write to %1, so their lines cannot be separated; a resume will write %2 instead</source>
        <translation>所有 rank 都写入 %1，因此无法区分各自的行；续训将改写到 %2</translation>
    </message>
    <message>
        <source>any directory</source>
        <translation>任何目录</translation>
    </message>
    <message>
        <source>at least one rank writes its output to no file, so its losses cannot be followed. Start the job with its output in files, and set logs.path</source>
        <translation>至少有一个 rank 没有把输出写入文件，因此无法跟踪其 loss。请让作业把输出写入文件，并设置 logs.path</translation>
    </message>
    <message>
        <source>cannot tell whether there is a ConfigMap for a graceful stop: %1 Discover again, or set graceful_exit.configmap</source>
        <translation>无法得知是否有用于优雅停止的 ConfigMap：%1 请重新发现，或设置 graceful_exit.configmap</translation>
    </message>
    <message>
        <source>expected %1 ranks, found %2; %3 run on hosts that were not given (or are dead): add those hosts%4</source>
        <translation>应有 %1 个 rank，找到 %2 个；%3 运行在未给出的主机上（或已退出）：请加入这些主机%4</translation>
    </message>
    <message>
        <source>expected a directory, found a file at %1</source>
        <translation>应为目录，但 %1 是文件</translation>
    </message>
    <message>
        <source>the node did not report whether %1 exists</source>
        <translation>它没有报告是否有 %1</translation>
    </message>
    <message>
        <source>the node is not connected</source>
        <translation>它未连接</translation>
    </message>
    <message>
        <source>variables left out because they look like secrets: %1. Set them in the login&apos;s environment on the nodes</source>
        <translation>已略去，因为看起来像机密：%1；请在各节点的登录环境中设置</translation>
    </message>
    <message>
        <source>msrun itself has ended; its options were read from the ranks&apos; environment</source>
        <translation>msrun 本身已结束；其选项取自各 rank 的环境</translation>
    </message>
    <message>
        <source>no checkpoint was found in %1: discover again after the first save, or set checkpoints.path</source>
        <translation>在 %1 中没有找到 checkpoint：请在第一次保存后重新发现，或设置 checkpoints.path</translation>
    </message>
    <message>
        <source>found no option of %1 that accepts a checkpoint to load: put {checkpoint} (or {checkpoint_dir}) into launch.command at the right place</source>
        <translation>没有找到 %1 的可接受待加载 checkpoint 的选项：请把 {checkpoint}（或 {checkpoint_dir}）放到 launch.command 的适当位置</translation>
    </message>
    <message>
        <source>not used, because a quote is not closed: %1</source>
        <translation>未使用，因为引号没有闭合：%1</translation>
    </message>
    <message>
        <source>not used: #SBATCH%1</source>
        <translation>未使用：#SBATCH%1</translation>
    </message>
    <message>
        <source>not used: %1</source>
        <translation>未使用：%1</translation>
    </message>
    <message>
        <source>pod %1 is %2</source>
        <translation>pod %1 的状态是 %2</translation>
    </message>
    <message>
        <source>rings-config-%1 has status %2, expected completed. The ranks are waiting for that; discover again afterwards</source>
        <translation>rings-config-%1 的状态是 %2，应为 completed。其 rank 正在等待；请稍后重新发现</translation>
    </message>
    <message>
        <source>several of the hosts are the same machine; its ranks were divided among them</source>
        <translation>其中几个主机是同一台机器；已把其 rank 分给它们</translation>
    </message>
    <message>
        <source>srun starts the launcher %1, but the recipe slurm starts each rank itself: only the command of the launcher is used</source>
        <translation>那里由 srun 启动 %1，而配方 slurm 自己启动每个 rank：只使用其命令</translation>
    </message>
    <message>
        <source>the command begins with a launcher, and the recipe %1 would start it once for each rank: write the command without the launcher</source>
        <translation>命令以启动器开头，而配方 %1 会为每个 rank 启动一次：请写不含启动器的命令</translation>
    </message>
    <message>
        <source>the command is a shell line, used unchanged: write {checkpoint} where it names the file to load</source>
        <translation>命令是一行 shell，按原样使用：请在它指定待加载文件的位置写 {checkpoint}</translation>
    </message>
    <message>
        <source>the command starts the ranks of its node itself: it runs once on each node (launch.per_node)</source>
        <translation>命令自己启动其节点的各 rank：在每个节点上运行一次（launch.per_node）</translation>
    </message>
    <message>
        <source>the host that runs kubectl does not see the pods&apos; files, and a pod that has ended cannot show them. Add a node without ranks that mounts %1 at the same place, set launch.submit_on to it, and set paths_shared</source>
        <translation>运行 kubectl 的主机看不到 pod 的文件，而已结束的 pod 无法显示它们。请加入一个没有 rank、在同一位置挂载 %1 的节点，让 launch.submit_on 指向它，并设置 paths_shared</translation>
    </message>
    <message>
        <source>the job&apos;s save directory could not be read from %1</source>
        <translation>没有从 %1 读到作业的保存目录</translation>
    </message>
    <message>
        <source>the pods mount %1 at %2 through subPath: changes never reach the pods. Mount the ConfigMap as a directory</source>
        <translation>pod 通过 subPath 把 %1 挂载到 %2：更改永远不会到达 pod。请把 ConfigMap 挂载为目录</translation>
    </message>
    <message>
        <source>the ranks run in several directories (%1); a resume runs all of them in %2</source>
        <translation>各 rank 运行在多个目录中（%1）；续训时都在 %2 中运行</translation>
    </message>
    <message>
        <source>the ranks&apos; checkpoint directories have no common pattern (%1): set checkpoints.path by hand</source>
        <translation>各 rank 的 checkpoint 目录没有共同的模式（%1）：请手动设置 checkpoints.path</translation>
    </message>
    <message>
        <source>the ranks&apos; commands differ in &quot;%1&quot; in a way that no placeholder can express: correct launch.command</source>
        <translation>各 rank 的命令在 &quot;%1&quot; 处不同，无法用占位符表示：请更正 launch.command</translation>
    </message>
    <message>
        <source>the ranks&apos; logs have no common pattern (%1, %2): set logs.path by hand</source>
        <translation>各 rank 的日志没有共同的模式（%1，%2）：请手动设置 logs.path</translation>
    </message>
    <message>
        <source>the recipe %1 runs %2 itself: its options are used, and the command is the text after them</source>
        <translation>配方 %1 自己运行 %2：使用其选项，命令是其后的内容</translation>
    </message>
    <message>
        <source>the recipe slurm runs srun itself: put srun&apos;s options into launch.options</source>
        <translation>配方 slurm 自己运行 srun：请把 srun 的选项放入 launch.options</translation>
    </message>
    <message>
        <source>the run has %1=1, but no JSON with GracefulExit was found: set graceful_exit.config to the file that OnRequestExit reads</source>
        <translation>运行中有 %1=1，但没有找到含 GracefulExit 的 JSON：请把 graceful_exit.config 设为 OnRequestExit 读取的文件</translation>
    </message>
    <message>
        <source>the run was started without a checkpoint; %1 has the option %2, so launch.command ends with %3 {checkpoint}. Check that the option accepts one file</source>
        <translation>该运行启动时没有 checkpoint；%1 认识 %2，因此 launch.command 以 %3 {checkpoint} 结尾。请确认它接受单个文件</translation>
    </message>
    <message>
        <source>the value of %1 is not in the command: write it into launch.env</source>
        <translation>%1 的值不在命令中：请写入 launch.env</translation>
    </message>
    <message>
        <source>only a shell would know the value of %1: write the value instead</source>
        <translation>此处不知道 shell 会给 %1 什么值：请直接写出</translation>
    </message>
    <message>
        <source>the variable %1 gets its value from the cluster, so it was not used</source>
        <translation>变量 %1 的值来自集群：未使用</translation>
    </message>
    <message>
        <source>the vcjob %1 no longer exists or cannot be read: the job can be watched and stopped, but not resumed from here</source>
        <translation>vcjob %1 已不存在或不允许读取：可以查看和停止作业，但不能从这里续训</translation>
    </message>
    <message>
        <source>the volume %1 at %2 has a type that launch.volcano.mounts cannot express: keep your YAML on the node that submits, and set launch.volcano.file to it</source>
        <translation>位于 %2 的卷 %1 的类型无法用 launch.volcano.mounts 表示：请把 YAML 保留在提交节点上，并让 launch.volcano.file 指向它</translation>
    </message>
    <message>
        <source>%1 was not found</source>
        <translation>没有 %1</translation>
    </message>
    <message>
        <source>It said: %1</source>
        <translation>它的输出：%1</translation>
    </message>
    <message>
        <source>ended by signal %1</source>
        <translation>被信号 %1 结束</translation>
    </message>
    <message>
        <source>exit status %1</source>
        <translation>退出状态 %1</translation>
    </message>
    <message>
        <source>the connection broke: %1</source>
        <translation>连接断开：%1</translation>
    </message>
    <message>
        <source>%1 (%2: no contact for %3).</source>
        <translation>%1（%2：已有 %3 没有消息）。</translation>
    </message>
    <message>
        <source>%1 (%2: no contact).</source>
        <translation>%1（%2：没有消息）。</translation>
    </message>
    <message>
        <source>%1 and ended</source>
        <translation>%1，并已结束</translation>
    </message>
    <message>
        <source>%1 are at step %2, the others at %3: they hang.</source>
        <translation>%1 停在 step %2，其余在 %3：它们已挂起。</translation>
    </message>
    <message>
        <source>%1 are computing, the others are waiting in %2: they may hang or be evaluating.</source>
        <translation>%1 在计算，其余在 %2 中等待：它们可能卡住了，也可能在评估。</translation>
    </message>
    <message>
        <source>%1 are silent and report no error: check them first.</source>
        <translation>%1 没有输出，也没有报告错误：请先检查它们。</translation>
    </message>
    <message>
        <source>%1 are still running, and the others gave up waiting for them: they hang.</source>
        <translation>%1 仍在运行，其余已放弃等待它们：它们卡住了。</translation>
    </message>
    <message>
        <source>%1 are stopped by a signal (state T): they hang.</source>
        <translation>%1 被信号暂停（状态 T）：它们已挂起。</translation>
    </message>
    <message>
        <source>%1 are waiting for their disk or file server (state D): they hang.</source>
        <translation>%1 在等待磁盘或文件服务器（状态 D）：它们已挂起。</translation>
    </message>
    <message>
        <source>%1 are waiting in %2, the others are computing: they may hang.</source>
        <translation>%1 在 %2 中等待，其余在计算：它们可能卡住了。</translation>
    </message>
    <message>
        <source>%1 are waiting in %2, the others in %3: they may hang.</source>
        <translation>%1 在 %2 中等待，其余在 %3 中等待：它们可能卡住了。</translation>
    </message>
    <message>
        <source>%1 before the first step of attempt %2</source>
        <translation>%1（第 %2 次运行，尚无任何 step）</translation>
    </message>
    <message>
        <source>%1 died</source>
        <translation>%1 已异常退出</translation>
    </message>
    <message>
        <source>%1 gave up waiting for %2</source>
        <translation>%1 放弃等待 %2</translation>
    </message>
    <message>
        <source>%1 gave up waiting for %2 after %3</source>
        <translation>%1 等待 %2 %3 后放弃</translation>
    </message>
    <message>
        <source>%1 had exited before the stop</source>
        <translation>%1 在停止之前已退出</translation>
    </message>
    <message>
        <source>%1 hang</source>
        <translation>%1 已挂起</translation>
    </message>
    <message>
        <source>%1 hangs</source>
        <translation>%1 已挂起</translation>
    </message>
    <message>
        <source>%1 has been trying to reach the scheduler at %2 for %3</source>
        <translation>%1 已尝试连接位于 %2 的调度进程（scheduler）达 %3</translation>
    </message>
    <message>
        <source>%1 has exited; the remaining ranks may be waiting for it.</source>
        <translation>%1 已退出，其余 rank 可能在等待它。</translation>
    </message>
    <message>
        <source>%1 have been trying to reach the scheduler at %2 for %3</source>
        <translation>%1 已尝试连接位于 %2 的调度进程（scheduler）达 %3</translation>
    </message>
    <message>
        <source>%1 have exited; the remaining ranks may be waiting for them.</source>
        <translation>%1 已退出，其余 rank 可能在等待它们。</translation>
    </message>
    <message>
        <source>%1 is at step %2, the others at %3: it hangs.</source>
        <translation>%1 停在 step %2，其余在 %3：它已挂起。</translation>
    </message>
    <message>
        <source>%1 is computing, the others are waiting in %2: it may hang or be evaluating.</source>
        <translation>%1 在计算，其余在 %2 中等待：它可能卡住了，也可能在评估。</translation>
    </message>
    <message>
        <source>%1 is kept: put it back, then resume from it.</source>
        <translation>%1 已保留：先放回，再从它续训。</translation>
    </message>
    <message>
        <source>%1 is silent and reports no error: check it first.</source>
        <translation>%1 没有输出，也没有报告错误：请先检查它。</translation>
    </message>
    <message>
        <source>%1 is still running, and the others gave up waiting for it: it hangs.</source>
        <translation>%1 仍在运行，其余已放弃等待它：它卡住了。</translation>
    </message>
    <message>
        <source>%1 is stopped by a signal (state T): it hangs.</source>
        <translation>%1 被信号暂停（状态 T）：它已挂起。</translation>
    </message>
    <message>
        <source>%1 is waiting for its disk or file server (state D): it hangs.</source>
        <translation>%1 在等待磁盘或文件服务器（状态 D）：它已挂起。</translation>
    </message>
    <message>
        <source>%1 is waiting in %2, the others are computing: it may hang.</source>
        <translation>%1 在 %2 中等待，其余在计算：它可能卡住了。</translation>
    </message>
    <message>
        <source>%1 is waiting in %2, the others in %3: it may hang.</source>
        <translation>%1 在 %2 中等待，其余在 %3 中等待：它可能卡住了。</translation>
    </message>
    <message>
        <source>%1 of %2 confirmed.</source>
        <translation>已确认 %1/%2。</translation>
    </message>
    <message>
        <source>%1 of %2 ranks died</source>
        <translation>%2 个 rank 中有 %1 个已异常退出</translation>
    </message>
    <message>
        <source>%1 of %2 ranks have confirmed</source>
        <translation>%2 个 rank 中有 %1 个已确认</translation>
    </message>
    <message>
        <source>%1 of %2 ranks have ended</source>
        <translation>%2 个 rank 中有 %1 个已退出</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1 on %2 of %3 ranks since step %4</source>
        <translation>自 step %4 起 %3 个 rank 中有 %2 个 %1</translation>
    </message>
    <message>
        <source>%1 on %2 of %3 ranks that log it, since step %4</source>
        <translation>自 step %4 起，记录 loss 的 %3 个 rank 中有 %2 个 %1</translation>
    </message>
    <message>
        <source>%1 on rank %2, the only rank that logs it, since step %3</source>
        <translation>自 step %3 起，%1，仅 rank %2 记录 loss</translation>
    </message>
    <message>
        <source>%1 other ranks are still running.</source>
        <translation>其余 %1 个 rank 仍在运行。</translation>
    </message>
    <message>
        <source>%1 since step %2</source>
        <translation>自 step %2 起，%1</translation>
    </message>
    <message>
        <source>%1, %2 first</source>
        <translation>%1，%2 最先</translation>
    </message>
    <message>
        <source>%1, as reported %2 ago.</source>
        <translation>%1（%2 前的报告）。</translation>
    </message>
    <message>
        <source>1 other rank is still running.</source>
        <translation>其余 1 个 rank 仍在运行。</translation>
    </message>
    <message>
        <source>A device of the job is unhealthy</source>
        <translation>作业的一个设备不健康</translation>
    </message>
    <message>
        <source>A device of the job was unhealthy at the scheduler&apos;s last answer, %1 ago</source>
        <translation>调度器上次应答时（%1 前）作业有设备不健康</translation>
    </message>
    <message>
        <source>A new run would stop after its first step.</source>
        <translation>新的运行会在第一步后停止。</translation>
    </message>
    <message>
        <source>A save failed</source>
        <translation>保存失败</translation>
    </message>
    <message>
        <source>A stop would save NaN.</source>
        <translation>此时停止所保存的内容会含有 NaN。</translation>
    </message>
    <message>
        <source>All %1 ranks</source>
        <translation>全部 %1 个 rank</translation>
    </message>
    <message>
        <source>All %1 ranks died</source>
        <translation>全部 %1 个 rank 已异常退出</translation>
    </message>
    <message>
        <source>All ranks are waiting; none stands out.</source>
        <translation>所有 rank 都在等待，没有哪个与众不同。</translation>
    </message>
    <message>
        <source>All were expected within a few steps.</source>
        <translation>本应在数步之内全部完成。</translation>
    </message>
    <message>
        <source>Any rank that is still running stops at its next check, if it reaches one.</source>
        <translation>仍在运行的 rank 若能到达下一次检查，会在那时停止。</translation>
    </message>
    <message>
        <source>Armed for %1, %2</source>
        <translation>已置位 %1，%2</translation>
    </message>
    <message>
        <source>Attempt %1 begins at step %2</source>
        <translation>第 %1 次运行从 step %2 开始</translation>
    </message>
    <message>
        <source>Attempt %1 had died at step %2, at %3: rank %4, %5.</source>
        <translation>此前第 %1 次运行在 step %2 异常退出（%3）：rank %4，%5。</translation>
    </message>
    <message>
        <source>Check on that host that the scheduler is running and uses that port.</source>
        <translation>请在该主机上查看调度进程是否在运行、是否使用该端口。</translation>
    </message>
    <message>
        <source>GracefulExit is still 1 on %1</source>
        <translation>%1 上 GracefulExit 仍为 1</translation>
    </message>
    <message>
        <source>Gradients have been %1</source>
        <translation>梯度为 %1</translation>
    </message>
    <message>
        <source>It will be overwritten in %1 saves, in about %2.</source>
        <translation>再保存 %1 次后将被覆盖（约 %2）。</translation>
    </message>
    <message>
        <source>Its log shows no reason.</source>
        <translation>其日志中没有任何说明。</translation>
    </message>
    <message>
        <source>Kubernetes is deleting its pods and will end them at %1</source>
        <translation>Kubernetes 正在删除其 pod，将在 %1 强制结束</translation>
    </message>
    <message>
        <source>Last contact %1 ago.</source>
        <translation>最近一次联系在 %1 前。</translation>
    </message>
    <message>
        <source>Loss has been %1</source>
        <translation>loss 为 %1</translation>
    </message>
    <message>
        <source>Nearest: %1, %2.</source>
        <translation>最接近：%1，%2。</translation>
    </message>
    <message>
        <source>Nearest: %1.</source>
        <translation>最接近：%1。</translation>
    </message>
    <message>
        <source>Newest good set: %1, which is kept.</source>
        <translation>最新的完好整组为 %1，已保留。</translation>
    </message>
    <message>
        <source>Newest good set: %1.</source>
        <translation>最新的完好整组为 %1。</translation>
    </message>
    <message>
        <source>No checkpoint set can be resumed by all ranks</source>
        <translation>没有所有 rank 都能续训的整组</translation>
    </message>
    <message>
        <source>No log shows that it loaded a checkpoint. %1 is VALID, and the steps up to it are being trained again.</source>
        <translation>没有日志表明它加载了 checkpoint。%1 为 VALID，到它为止的 step 正在被重新训练。</translation>
    </message>
    <message>
        <source>No new line in any log for %1</source>
        <translation>所有日志已 %1 没有新行</translation>
    </message>
    <message>
        <source>No older set is VALID.</source>
        <translation>没有更早的 VALID 整组。</translation>
    </message>
    <message>
        <source>No older set is known to be VALID.</source>
        <translation>更早的整组中是否有 VALID 尚不清楚。</translation>
    </message>
    <message>
        <source>No rank is running: no process of the job is left on its nodes, and no log ends with an exit line.</source>
        <translation>没有 rank 在运行：各节点上已没有此作业的任何进程，日志也都没有以退出行结束。</translation>
    </message>
    <message>
        <source>No rank process found; cannot tell whether the job is running.</source>
        <translation>未发现 rank 的进程；无法判断作业是否在运行。</translation>
    </message>
    <message>
        <source>No rank stands out yet.</source>
        <translation>目前没有哪个 rank 与众不同。</translation>
    </message>
    <message>
        <source>No save since step %1, %2 steps ago</source>
        <translation>自 step %1 起没有保存，已过 %2 步</translation>
    </message>
    <message>
        <source>No step for %1</source>
        <translation>已 %1 没有新的 step</translation>
    </message>
    <message>
        <source>No step for %1 (usual %2)</source>
        <translation>已 %1 没有新的 step（平常 %2）</translation>
    </message>
    <message>
        <source>Node %1 cannot be watched</source>
        <translation>无法观察节点 %1</translation>
    </message>
    <message>
        <source>Node %1 has been silent for %2</source>
        <translation>节点 %1 已静默 %2</translation>
    </message>
    <message>
        <source>Node %1 is lost</source>
        <translation>节点 %1 断开</translation>
    </message>
    <message>
        <source>Node %1 is lost, retry in %2</source>
        <translation>节点 %1 断开，%2 后重试</translation>
    </message>
    <message>
        <source>Node %1 is lost, trying again</source>
        <translation>节点 %1 断开，正在重连</translation>
    </message>
    <message>
        <source>Node %1 is refused</source>
        <translation>节点 %1 被拒绝</translation>
    </message>
    <message>
        <source>Node %1 is silent</source>
        <translation>节点 %1 静默</translation>
    </message>
    <message>
        <source>Node %1 needs you to log in</source>
        <translation>节点 %1 需要您登录</translation>
    </message>
    <message>
        <source>Node %1 shows an unknown host key</source>
        <translation>节点 %1 的主机密钥未知</translation>
    </message>
    <message>
        <source>Not proven: rank %1 shows no step yet</source>
        <translation>未证实：rank %1 尚无 step</translation>
    </message>
    <message>
        <source>Not proven: rank %1 started at step %2</source>
        <translation>未证实：rank %1 从 step %2 开始</translation>
    </message>
    <message>
        <source>Over after %1: %2</source>
        <translation>持续 %1 后结束：%2</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>Rank %1 died</source>
        <translation>rank %1 已异常退出</translation>
    </message>
    <message>
        <source>Ranks %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>Reason: %1 (%2).</source>
        <translation>原因：%1（%2）。</translation>
    </message>
    <message>
        <source>Reason: %1, %2.</source>
        <translation>原因：%1，%2。</translation>
    </message>
    <message>
        <source>Reason: %1.</source>
        <translation>原因：%1。</translation>
    </message>
    <message>
        <source>SIGCONT lets it continue, and nothing is lost.</source>
        <translation>发送 SIGCONT 即可继续，不会丢失任何内容。</translation>
    </message>
    <message>
        <source>Sets are still being saved: training goes on, logging does not. The disk with the logs may be full.</source>
        <translation>检查点仍在保存：训练在继续，日志没有。日志所在的磁盘可能已满。</translation>
    </message>
    <message>
        <source>Slurm will end job %1 at %2</source>
        <translation>Slurm 将在 %2 结束作业 %1</translation>
    </message>
    <message>
        <source>Some ranks are computing; none stands out. They may be evaluating, or their logs are no longer written.</source>
        <translation>部分 rank 在计算，没有哪个与众不同。可能正在评估，或日志已无法写入。</translation>
    </message>
    <message>
        <source>Status of %1 ranks unknown</source>
        <translation>%1 个 rank 的情况未知</translation>
    </message>
    <message>
        <source>Status of 1 rank unknown</source>
        <translation>1 个 rank 的情况未知</translation>
    </message>
    <message>
        <source>Surviving ranks are waiting for %1, which died.</source>
        <translation>其余 rank 在等待已异常退出的 %1。</translation>
    </message>
    <message>
        <source>The disk is full</source>
        <translation>磁盘已满</translation>
    </message>
    <message>
        <source>The job was not started at the scheduler&apos;s last answer, %1 ago</source>
        <translation>调度器上次应答时（%1 前）作业尚未启动</translation>
    </message>
    <message>
        <source>The kept sets are not listed yet.</source>
        <translation>已保留的整组尚未列出。</translation>
    </message>
    <message>
        <source>The kept sets could not be listed (%1).</source>
        <translation>无法列出已保留的整组（%1）。</translation>
    </message>
    <message>
        <source>The kept sets could not be listed.</source>
        <translation>无法列出已保留的整组。</translation>
    </message>
    <message>
        <source>The next save may run out of space</source>
        <translation>下一次保存可能没有足够空间</translation>
    </message>
    <message>
        <source>The next save overwrites it, in about %1.</source>
        <translation>下一次保存（约 %1 后）将覆盖它。</translation>
    </message>
    <message>
        <source>The others are waiting.</source>
        <translation>其余 rank 在等待。</translation>
    </message>
    <message>
        <source>The pods will be ended by force in %1</source>
        <translation>pod 将在 %1 后被强制结束</translation>
    </message>
    <message>
        <source>The resume is not proven</source>
        <translation>续训未证实</translation>
    </message>
    <message>
        <source>The run stops at its next check.</source>
        <translation>训练将在下次检查时停止。</translation>
    </message>
    <message>
        <source>The scheduler cancelled the others.</source>
        <translation>其余 rank 被调度器取消。</translation>
    </message>
    <message>
        <source>The scheduler has not started the job</source>
        <translation>调度器没有启动作业</translation>
    </message>
    <message>
        <source>The scheduler reports: %1.</source>
        <translation>调度器报告：%1。</translation>
    </message>
    <message>
        <source>The stop cannot finish: %1</source>
        <translation>停止无法完成：%1</translation>
    </message>
    <message>
        <source>The stop file is still there on %1</source>
        <translation>停止文件仍在 %1 上</translation>
    </message>
    <message>
        <source>The time limit will end the job in %1</source>
        <translation>作业将在 %1 后因时间上限结束</translation>
    </message>
    <message>
        <source>Their logs show no reason.</source>
        <translation>其日志中均没有任何说明。</translation>
    </message>
    <message>
        <source>They gave up waiting for %1, which are still running.</source>
        <translation>它们等待 %1 超时而放弃，这些 rank 仍在运行。</translation>
    </message>
    <message>
        <source>They gave up waiting for %1, which is still running and hangs.</source>
        <translation>它们等待 %1 超时而放弃，该 rank 仍在运行，但已挂起。</translation>
    </message>
    <message>
        <source>Usually there is one every %1 steps.</source>
        <translation>平常每 %1 步保存一次。</translation>
    </message>
    <message>
        <source>a Python module is missing</source>
        <translation>缺少一个 Python 模块</translation>
    </message>
    <message>
        <source>a checkpoint that it loads is damaged or does not fit</source>
        <translation>它加载的 checkpoint 已损坏或不匹配</translation>
    </message>
    <message>
        <source>a worker of its data loader was killed</source>
        <translation>其数据加载进程被终止</translation>
    </message>
    <message>
        <source>all %1 ranks</source>
        <translation>全部 %1 个 rank</translation>
    </message>
    <message>
        <source>it gave up waiting for another rank</source>
        <translation>它放弃了等待另一个 rank</translation>
    </message>
    <message>
        <source>it was asked to end</source>
        <translation>它被要求结束</translation>
    </message>
    <message>
        <source>it was asked to end and had saved an emergency checkpoint</source>
        <translation>它被要求结束，并且之前已保存临终 checkpoint</translation>
    </message>
    <message>
        <source>it was interrupted with Ctrl-C</source>
        <translation>被 Ctrl-C 中断</translation>
    </message>
    <message>
        <source>its container or group is out of memory</source>
        <translation>其容器或内存组内存不足</translation>
    </message>
    <message>
        <source>its exchange with another rank failed</source>
        <translation>它与另一个 rank 的通信失败</translation>
    </message>
    <message>
        <source>its pod was evicted</source>
        <translation>其 pod 被驱逐</translation>
    </message>
    <message>
        <source>sent by a person, by a scheduler, or for lack of memory</source>
        <translation>人为、调度器，或内存不足</translation>
    </message>
    <message>
        <source>the device is out of memory</source>
        <translation>设备内存不足</translation>
    </message>
    <message>
        <source>the device reported an error</source>
        <translation>设备报告了错误</translation>
    </message>
    <message>
        <source>the disk is full</source>
        <translation>磁盘已满</translation>
    </message>
    <message>
        <source>the job reached its time limit</source>
        <translation>作业达到时间上限</translation>
    </message>
    <message>
        <source>the machine is out of memory</source>
        <translation>主机内存不足</translation>
    </message>
    <message>
        <source>the port is in use by another process</source>
        <translation>端口被其他进程占用</translation>
    </message>
    <message>
        <source>the program crashed</source>
        <translation>程序崩溃</translation>
    </message>
    <message>
        <source>the scheduler cancelled it</source>
        <translation>被调度器取消</translation>
    </message>
    <message>
        <source>the scheduler preempted the job</source>
        <translation>作业被调度器抢占</translation>
    </message>
    <message>
        <source>the scheduler saw its node fail</source>
        <translation>调度器发现其节点故障</translation>
    </message>
    <message>
        <source>the script ended because of a NaN or Inf</source>
        <translation>脚本因 NaN 或 Inf 结束</translation>
    </message>
    <message>
        <source>the shared memory (/dev/shm) is too small</source>
        <translation>共享内存（/dev/shm）太小</translation>
    </message>
    <message>
        <source>Not stopped: %1</source>
        <translation>未停止：%1</translation>
    </message>
    <message>
        <source>The stop ended without proof, and ranks are still running.</source>
        <translation>停止已结束但未证实；仍有 rank 在运行。</translation>
    </message>
    <message>
        <source>each rank has other files of this step, such as %2 beside %1: one of them alone may be only a part of the save</source>
        <translation>每个 rank 在这一 step 还有其他文件，例如 %1 旁边的 %2：其中单独一个可能只是这次保存的一部分</translation>
    </message>
    <message>
        <source>%1 ended, perhaps because of the stop request that is already set</source>
        <translation>%1 已结束，可能是因为已设置的停止请求</translation>
    </message>
    <message>
        <source>wait for the other ranks; if they do not end, force a stop</source>
        <translation>请等待其他 rank；如果它们不结束，请强制停止</translation>
    </message>
</context>
<context>
    <name>Deck</name>
    <message>
        <source>rank %1 is %2 MAD above the median</source>
        <translation>rank %1 高于中位数 %2 MAD</translation>
    </message>
    <message>
        <source>rank %1 is %2 MAD below the median</source>
        <translation>rank %1 低于中位数 %2 MAD</translation>
    </message>
</context>
<context>
    <name>rankdeck::Demo</name>
    <message>
        <source>Demo: kill rank 5</source>
        <translation>演示：终止 rank 5</translation>
    </message>
    <message>
        <source>Demo: damage rank 2&apos;s next checkpoint</source>
        <translation>演示：损坏 rank 2 的下一个 checkpoint</translation>
    </message>
    <message>
        <source>Demo: NaN on rank 3</source>
        <translation>演示：rank 3 出现 NaN</translation>
    </message>
    <message>
        <source>Demo: hang rank 6</source>
        <translation>演示：rank 6 挂起</translation>
    </message>
    <message>
        <source>Demo: no space at the next save</source>
        <translation>演示：下次保存时磁盘已满</translation>
    </message>
    <message>
        <source>Demo: cut the link to the first node</source>
        <translation>演示：切断到第一个节点的连接</translation>
    </message>
    <message>
        <source>Demo: drop all traffic from the first node</source>
        <translation>演示：第一个节点静默</translation>
    </message>
    <message>
        <source>Demo: repair the link to the first node</source>
        <translation>演示：恢复到第一个节点的连接</translation>
    </message>
</context>
<context>
    <name>rankdeck::Options</name>
    <message>
        <source>Watches distributed training over SSH, stops it gracefully, resumes it from proven checkpoints.</source>
        <translation>通过 SSH 观察分布式训练，优雅退出，并从已证实的 checkpoint 断点续训。</translation>
    </message>
    <message>
        <source>Start a private training cluster on this machine and open it.</source>
        <translation>在本机启动私有训练集群并打开。</translation>
    </message>
    <message>
        <source>OpenSSH config to use, as for ssh -F.</source>
        <translation>使用的 OpenSSH 配置，同 ssh -F。</translation>
    </message>
    <message>
        <source>Directory for the history and the journal.</source>
        <translation>历史与操作记录的保存目录。</translation>
    </message>
    <message>
        <source>light or dark; default: as chosen in the window.</source>
        <translation>light 或 dark；否则按窗口中的选择。</translation>
    </message>
    <message>
        <source>Show this help.</source>
        <translation>显示本帮助。</translation>
    </message>
    <message>
        <source>Show the version.</source>
        <translation>显示版本。</translation>
    </message>
    <message>
        <source>--theme: expected light or dark, found &quot;%1&quot;.</source>
        <translation>--theme：应为 light 或 dark，得到 &quot;%1&quot;。</translation>
    </message>
    <message>
        <source>Expected one job file, found %1.</source>
        <translation>应给一个作业文件，得到 %1 个。</translation>
    </message>
    <message>
        <source>Job file to open (*.rankdeck.json), or a directory of checkpoints.</source>
        <translation>要打开的作业文件（*.rankdeck.json），或 checkpoint 目录。</translation>
    </message>
    <message>
        <source>The same as JOB, as in rankdeckctl.</source>
        <translation>与 JOB 相同，与 rankdeckctl 的写法一致。</translation>
    </message>
    <message>
        <source> Did you mean --%1?</source>
        <translation>是不是 --%1？</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::AboutDialog</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>About Rankdeck</source>
        <translation>关于 Rankdeck</translation>
    </message>
    <message>
        <source>Rankdeck %1</source>
        <translation>Rankdeck %1</translation>
    </message>
    <message>
        <source>Watches distributed training, stops it gracefully, and resumes it from the newest checkpoint set that is proven consistent across ranks.</source>
        <translation>观察分布式训练，优雅退出，并从各 rank 已证实一致的最新整组 checkpoint 断点续训。</translation>
    </message>
    <message>
        <source>Free software under the GNU General Public License, version 3 or later, without any warranty.</source>
        <translation>自由软件，GNU 通用公共许可证第 3 版或更新版本，不提供任何担保。</translation>
    </message>
    <message>
        <source>Licences</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>Diagnostics</source>
        <translation>诊断信息</translation>
    </message>
    <message>
        <source>Only this is copied: no names of hosts, users, jobs or files.</source>
        <translation>复制的就是这些：没有主机、用户、作业或文件的名称。</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy diagnostics…</source>
        <translation>复制诊断信息…</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::Acts</name>
    <message>
        <source>Rank %1 died after the last check. A graceful stop needs every rank.</source>
        <translation>上次检查后 rank %1 已死亡。优雅停止需要所有 rank。</translation>
    </message>
    <message>
        <source>%1 has not answered since the last check. A graceful stop needs every node.</source>
        <translation>上次检查后 %1 没有应答。优雅停止需要所有节点。</translation>
    </message>
    <message>
        <source>refused: rank %1 is dead</source>
        <translation>拒绝：rank %1 已退出</translation>
    </message>
    <message>
        <source>refused: a rank is dead</source>
        <translation>拒绝：有 rank 已退出</translation>
    </message>
    <message>
        <source>refused: not enabled in the run</source>
        <translation>拒绝：运行中未启用</translation>
    </message>
    <message>
        <source>refused: no config file is set</source>
        <translation>拒绝：未设置配置文件</translation>
    </message>
    <message>
        <source>refused: config not writable</source>
        <translation>拒绝：配置不可写</translation>
    </message>
    <message>
        <source>refused: saves not writable</source>
        <translation>拒绝：保存目录不可写</translation>
    </message>
    <message>
        <source>refused: disk too full to save</source>
        <translation>拒绝：磁盘空间不足</translation>
    </message>
    <message>
        <source>refused: %1 is not live</source>
        <translation>拒绝：%1 不在线</translation>
    </message>
    <message>
        <source>nothing is running</source>
        <translation>没有进程在运行</translation>
    </message>
    <message numerus="yes">
        <source>refused, %n reason(s)</source>
        <translation>
            <numerusform>拒绝，%n 个原因</numerusform>
        </translation>
    </message>
    <message>
        <source>until a rank reads the flag</source>
        <translation>在 rank 读取标志之前</translation>
    </message>
    <message>
        <source>too late: a rank confirmed at %1</source>
        <translation>%1 起已来不及</translation>
    </message>
    <message>
        <source>too late, a rank read the flag</source>
        <translation>来不及，已有 rank 读取标志</translation>
    </message>
    <message numerus="yes">
        <source>armed on %n node(s)</source>
        <translation>
            <numerusform>%n 个节点已置位</numerusform>
        </translation>
    </message>
    <message>
        <source>GracefulExit is 1 on %1. Cancel puts it back to 0.</source>
        <translation>%1 上 GracefulExit 为 1。取消会将其恢复为 0。</translation>
    </message>
    <message>
        <source>Stop gracefully</source>
        <translation>优雅退出</translation>
    </message>
    <message>
        <source>while a resume starts</source>
        <translation>续训启动中</translation>
    </message>
    <message>
        <source>being checked</source>
        <translation>检查中</translation>
    </message>
    <message>
        <source>no node is live</source>
        <translation>没有节点在线</translation>
    </message>
    <message>
        <source>Last checked %1.</source>
        <translation>上次检查：%1。</translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s), asks again</source>
        <translation>
            <numerusform>%n 个警告，需再次确认</numerusform>
        </translation>
    </message>
    <message>
        <source>checked %1, asks again</source>
        <translation>%1检查，需再次确认</translation>
    </message>
    <message>
        <source>loses 0 steps</source>
        <translation>损失 0 步</translation>
    </message>
    <message numerus="yes">
        <source>%n check(s) passed</source>
        <translation>
            <numerusform>%n 项检查通过</numerusform>
        </translation>
    </message>
    <message>
        <source>is starting</source>
        <translation>启动中</translation>
    </message>
    <message>
        <source>when the %1 ranks are gone</source>
        <translation>待 %1 个 rank 退出后</translation>
    </message>
    <message>
        <source>no set is VALID</source>
        <translation>没有有效整组</translation>
    </message>
    <message>
        <source>checkpoints are being read</source>
        <translation>正在读取 checkpoint</translation>
    </message>
    <message>
        <source>from %1, loses %2</source>
        <translation>自 %1，损失 %2 步</translation>
    </message>
    <message>
        <source>from %1, loses 0</source>
        <translation>自 %1，损失 0</translation>
    </message>
    <message>
        <source>from %1, newest VALID</source>
        <translation>自最新有效 %1</translation>
    </message>
    <message>
        <source>would save NaN</source>
        <translation>会保存 NaN</translation>
    </message>
    <message>
        <source>The exit save would contain NaN; nothing after the newest VALID set can be kept.</source>
        <translation>退出时保存的内容会含 NaN；最新有效整组之后的内容无法保留。</translation>
    </message>
    <message>
        <source>sets the flag back to 0</source>
        <translation>将标志置回 0</translation>
    </message>
    <message>
        <source>when the stop has ended</source>
        <translation>待停止结束后</translation>
    </message>
    <message>
        <source>no node answers</source>
        <translation>没有节点应答</translation>
    </message>
    <message>
        <source>not while ranks hang</source>
        <translation>有 rank 挂起时无法完成</translation>
    </message>
    <message>
        <source>when the rank is gone</source>
        <translation>等该 rank 退出后</translation>
    </message>
    <message>
        <source>no set is known to be VALID</source>
        <translation>没有已知有效的整组</translation>
    </message>
    <message>
        <source>No node answers, so the run cannot be asked to stop. Every node must be live.</source>
        <translation>应有全部节点在线，现无节点应答；无法向训练提出任何请求。</translation>
    </message>
    <message>
        <source>no rank is known to be running</source>
        <translation>不确定是否有 rank 在运行</translation>
    </message>
    <message>
        <source>removes the stop file</source>
        <translation>将删除停止文件</translation>
    </message>
    <message>
        <source>until a rank sees the stop file</source>
        <translation>直到有 rank 看到停止文件</translation>
    </message>
    <message>
        <source>too late, a rank has left</source>
        <translation>已太晚，有 rank 已退出</translation>
    </message>
    <message>
        <source>a signal cannot be taken back</source>
        <translation>信号无法撤回</translation>
    </message>
    <message>
        <source>The stop file exists on %1. Cancel removes it.</source>
        <translation>停止文件在 %1 上存在。取消会将其删除。</translation>
    </message>
    <message>
        <source>not while ranks wait</source>
        <translation>有 rank 等待时无法完成</translation>
    </message>
    <message>
        <source>%1 is kept: put it back</source>
        <translation>%1 已保留：先放回</translation>
    </message>
    <message>
        <source>when rank %1 is gone</source>
        <translation>等 rank %1 退出后</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::AttemptsStrip</name>
    <message>
        <source>%1, from newest VALID %2</source>
        <translation>%1，自最新有效 %2</translation>
    </message>
    <message>
        <source>newest VALID %1</source>
        <translation>最新有效 %1</translation>
    </message>
    <message>
        <source>%1, from %2</source>
        <translation>%1，自 %2</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::AuthDialog</name>
    <message>
        <source>Log in to %1</source>
        <translation>登录 %1</translation>
    </message>
    <message>
        <source>%1 asks</source>
        <translation>%1 要求</translation>
    </message>
    <message>
        <source>Log in</source>
        <translation>登录</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Nothing you type here is kept.</source>
        <translation>此处输入的内容不会保存。</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::AxisRow</name>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Step</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>Age</source>
        <translation>时效</translation>
    </message>
    <message>
        <source>step</source>
        <translation>step</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::Banner</name>
    <message>
        <source>All current problems</source>
        <translation>当前所有异常</translation>
    </message>
    <message>
        <source>Acknowledge: hides the banner; the alarm stays in the list and in Events</source>
        <translation>确认已阅：横幅消失，告警仍保留在列表和“事件”中</translation>
    </message>
    <message>
        <source>Acknowledge</source>
        <translation>已阅</translation>
    </message>
    <message numerus="yes">
        <source>All %n…</source>
        <translation>
            <numerusform>全部 %n 条…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::CheckWords</name>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Logs</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>Checkpoint</translation>
    </message>
    <message>
        <source>Graceful exit</source>
        <translation>优雅退出</translation>
    </message>
    <message>
        <source>Working directory</source>
        <translation>工作目录</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>%1 connected</source>
        <translation>%1 已连接</translation>
    </message>
    <message>
        <source>%1 exist and are readable, loss lines at the end of %2</source>
        <translation>%1 存在且可读，其中 %2 个末尾有 loss 行</translation>
    </message>
    <message numerus="yes">
        <source>%1 directories exist, with %n file(s) that look like checkpoints</source>
        <translation>
            <numerusform>%1 个目录存在，其中有 %n 个像 checkpoint 的文件</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 directories exist, but have no checkpoints yet</source>
        <translation>%1 个目录存在，其中尚无像 checkpoint 的文件</translation>
    </message>
    <message>
        <source>%1 readable, %2 writable</source>
        <translation>%1 可读，%2 个可写</translation>
    </message>
    <message>
        <source>exists on %1 nodes</source>
        <translation>在 %1 个节点上存在</translation>
    </message>
    <message>
        <source>understood; its program exists on %1 nodes</source>
        <translation>可理解；所启动的程序在 %1 个节点上存在</translation>
    </message>
    <message>
        <source>; none of its arguments says which checkpoint to load: write {checkpoint} there</source>
        <translation>；其中没有指明加载哪个 checkpoint：请写入 {checkpoint}</translation>
    </message>
    <message>
        <source>it could not be started</source>
        <translation>无法启动</translation>
    </message>
    <message>
        <source>not known yet</source>
        <translation>尚不清楚</translation>
    </message>
    <message>
        <source>. %1</source>
        <translation>。%1</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::CommandPalette</name>
    <message>
        <source>All actions</source>
        <translation>所有操作</translation>
    </message>
    <message>
        <source>Type an action</source>
        <translation>输入要做的操作</translation>
    </message>
    <message>
        <source>Find an action</source>
        <translation>查找操作</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>No available action has these words in its name.</source>
        <translation>现在可执行的操作中没有名称含这些词的。</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::CurveFile</name>
    <message>
        <source>A table holds at most %1 samples; the run has %2. Save it as SVG or PNG.</source>
        <translation>表格最多容纳 %1 个样本；本次训练有 %2 个。请另存为 SVG 或 PNG。</translation>
    </message>
    <message>
        <source>No loss values yet, so there is nothing to draw.</source>
        <translation>尚无 loss，没有可画的内容。</translation>
    </message>
    <message>
        <source>Expected a name that ends in .csv, .svg or .png; found %1.</source>
        <translation>文件名应以 .csv、.svg 或 .png 结尾，现为 %1。</translation>
    </message>
    <message>
        <source>Table of all samples (*.csv)</source>
        <translation>全部样本的表格 (*.csv)</translation>
    </message>
    <message>
        <source>Drawing (*.svg)</source>
        <translation>矢量图 (*.svg)</translation>
    </message>
    <message>
        <source>Picture of the deck (*.png)</source>
        <translation>当前画面 (*.png)</translation>
    </message>
    <message>
        <source>Save the curve</source>
        <translation>保存曲线</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::Deck</name>
    <message>
        <source>Deck: loss and checkpoints over steps</source>
        <translation>总览：按 step 的 loss 与 checkpoint</translation>
    </message>
    <message>
        <source>1 px = %1 steps, min and max kept, nothing hidden</source>
        <translation>1 px = %1 步，保留最小与最大值，无隐藏</translation>
    </message>
    <message>
        <source>1 px = %1 steps, %2 ranks as an envelope, min and max kept; %3 drawn</source>
        <translation>1 px = %1 步，%2 个 rank 以包络显示，保留最小与最大值；绘出 %3</translation>
    </message>
    <message numerus="yes">
        <source>%n lines</source>
        <translation>
            <numerusform>%n 条</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No loss line yet. Reading %n logs.</source>
        <translation>
            <numerusform>尚无 loss 行。正在读取 %n 个日志。</numerusform>
        </translation>
    </message>
    <message>
        <source>No loss line yet. No log found yet.</source>
        <translation>尚无 loss 行。尚未发现日志。</translation>
    </message>
    <message>
        <source>No checkpoint yet.</source>
        <translation>尚无 checkpoint。</translation>
    </message>
    <message>
        <source>No checkpoint yet in %1 on %2.</source>
        <translation>%2 的 %1 中尚无 checkpoint。</translation>
    </message>
    <message numerus="yes">
        <source>%n nodes</source>
        <translation>
            <numerusform>%n 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>median %1 at %2</source>
        <translation>中位数 %1，位于 %2</translation>
    </message>
    <message>
        <source>rank %1 above</source>
        <translation>rank %1 偏高</translation>
    </message>
    <message>
        <source>rank %1 below</source>
        <translation>rank %1 偏低</translation>
    </message>
    <message>
        <source>newest VALID %1</source>
        <translation>最新有效 %1</translation>
    </message>
    <message>
        <source>NaN or Inf from step %1</source>
        <translation>自 step %1 起 NaN 或 Inf</translation>
    </message>
    <message>
        <source>following ▸</source>
        <translation>跟随最新 ▸</translation>
    </message>
    <message>
        <source>▸ %1 new steps</source>
        <translation>▸ %1 个新步</translation>
    </message>
    <message>
        <source>▸ follow</source>
        <translation>▸ 跟随</translation>
    </message>
    <message>
        <source>Selected set %1</source>
        <translation>已选整组 %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>rank %1 %2</source>
        <translation>rank %1 %2</translation>
    </message>
    <message>
        <source>At %1</source>
        <translation>位于 %1</translation>
    </message>
    <message>
        <source>Newest sample %1</source>
        <translation>最新样本 %1</translation>
    </message>
    <message>
        <source>no sample here</source>
        <translation>此处无样本</translation>
    </message>
    <message>
        <source>median %1</source>
        <translation>中位数 %1</translation>
    </message>
    <message>
        <source>min %1 (rank %2)</source>
        <translation>最小 %1 (rank %2)</translation>
    </message>
    <message>
        <source>max %1 (rank %2)</source>
        <translation>最大 %1 (rank %2)</translation>
    </message>
    <message numerus="yes">
        <source>NaN or Inf on %n ranks</source>
        <translation>
            <numerusform>%n 个 rank 出现 NaN 或 Inf</numerusform>
        </translation>
    </message>
    <message>
        <source>1 step = %1 px, every sample drawn</source>
        <translation>1 步 = %1 像素，每个采样都画出</translation>
    </message>
    <message>
        <source>&amp;Resume from %1…</source>
        <translation>从 %1 断点续训(&amp;R)…</translation>
    </message>
    <message>
        <source>&amp;Copy as text</source>
        <translation>复制它的说明(&amp;C)</translation>
    </message>
    <message>
        <source>Show the &amp;log of rank %1</source>
        <translation>显示 rank %1 的日志(&amp;L)</translation>
    </message>
    <message>
        <source>Show the log &amp;line of this sample</source>
        <translation>显示此样本的日志行(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Copy the values here</source>
        <translation>复制此处的数值(&amp;C)</translation>
    </message>
    <message>
        <source>No node has answered yet: losses are unknown.</source>
        <translation>尚无节点应答：loss 未知。</translation>
    </message>
    <message>
        <source>No node has answered yet: checkpoints are unknown.</source>
        <translation>尚无节点应答：checkpoint 未知。</translation>
    </message>
    <message>
        <source>Checkpoints are being read.</source>
        <translation>正在读取 checkpoint。</translation>
    </message>
    <message>
        <source>median of ranks %1</source>
        <translation>rank %1 的中位数</translation>
    </message>
    <message>
        <source>No log line shows it: %1.</source>
        <translation>没有日志行提到：%1。</translation>
    </message>
    <message>
        <source>newest %1</source>
        <translation>最新 %1</translation>
    </message>
    <message>
        <source>Curve below the loss</source>
        <translation>loss 下方的曲线</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::DeckActions</name>
    <message>
        <source>&amp;Previous set</source>
        <translation>上一整组(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Next set</source>
        <translation>下一整组(&amp;N)</translation>
    </message>
    <message>
        <source>Select the newest &amp;VALID set</source>
        <translation>选择最新有效整组(&amp;V)</translation>
    </message>
    <message>
        <source>Next &amp;trouble</source>
        <translation>下一处异常(&amp;T)</translation>
    </message>
    <message>
        <source>P&amp;revious trouble</source>
        <translation>上一处异常(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Inspect the checkpoint</source>
        <translation>检视 checkpoint(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Previous rank</source>
        <translation>上一 rank(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Next rank</source>
        <translation>下一 rank(&amp;N)</translation>
    </message>
    <message>
        <source>P&amp;in the rank&apos;s line</source>
        <translation>固定该 rank 的曲线(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Follow the newest step</source>
        <translation>跟随最新 step(&amp;F)</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>放大(&amp;I)</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>缩小(&amp;O)</translation>
    </message>
    <message>
        <source>Show the &amp;whole job</source>
        <translation>显示整个作业(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Log scale</source>
        <translation>对数坐标(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Smoothing</source>
        <translation>平滑(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Keep the set (protect it from rotation)</source>
        <translation>保留该整组，不被轮换删除(&amp;K)</translation>
    </message>
    <message>
        <source>Next &amp;curve below the loss</source>
        <translation>loss 下方的下一条曲线(&amp;C)</translation>
    </message>
    <message>
        <source>C&amp;urve below the loss</source>
        <translation>loss 下方的曲线(&amp;U)</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>&amp;Undo the move of the view</source>
        <translation>撤销视图移动(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo the move of the view</source>
        <translation>重做视图移动(&amp;R)</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::EndedJob</name>
    <message>
        <source>reason unknown</source>
        <translation>如何结束无人看到</translation>
    </message>
    <message>
        <source>%1 ranks left gracefully</source>
        <translation>%1 个 rank 已优雅退出</translation>
    </message>
    <message>
        <source>rank %1 died</source>
        <translation>rank %1 故障</translation>
    </message>
    <message>
        <source>%1 ranks died, rank %2 first</source>
        <translation>%1 个 rank 故障，rank %2 最先</translation>
    </message>
    <message>
        <source>at an unknown time</source>
        <translation>时间未知</translation>
    </message>
    <message>
        <source>ended %1</source>
        <translation>%1结束</translation>
    </message>
    <message>
        <source>not running any more; last line %1</source>
        <translation>不再运行；最后一行在%1</translation>
    </message>
    <message>
        <source>, at step %1</source>
        <translation>，step %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 ranks died</source>
        <translation>%1 个 rank 故障</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::EndedJobs</name>
    <message>
        <source>Ended on these hosts</source>
        <translation>在这些主机上已结束</translation>
    </message>
    <message>
        <source>Logs: %1</source>
        <translation>日志：%1</translation>
    </message>
    <message>
        <source>Checkpoints: %1</source>
        <translation>Checkpoint：%1</translation>
    </message>
    <message>
        <source>Open its history</source>
        <translation>打开其历史</translation>
    </message>
    <message>
        <source>Open the history of %1</source>
        <translation>打开 %1 的历史</translation>
    </message>
    <message>
        <source>Watch this job</source>
        <translation>观察此作业</translation>
    </message>
    <message>
        <source>Watch %1</source>
        <translation>观察 %1</translation>
    </message>
    <message>
        <source>None of its processes was found.</source>
        <translation>未发现其进程。</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::EventsModel</name>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>经过</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Step</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::EventsPanel</name>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Events of rank</source>
        <translation>rank 的事件</translation>
    </message>
    <message>
        <source>Which events</source>
        <translation>哪些事件</translation>
    </message>
    <message>
        <source>Errors and saves</source>
        <translation>错误与保存</translation>
    </message>
    <message>
        <source>All events</source>
        <translation>全部事件</translation>
    </message>
    <message>
        <source>Errors only</source>
        <translation>仅错误</translation>
    </message>
    <message>
        <source>Find in the events</source>
        <translation>在事件中查找</translation>
    </message>
    <message>
        <source>Find (Ctrl+F)</source>
        <translation>查找 (Ctrl+F)</translation>
    </message>
    <message>
        <source>All ranks</source>
        <translation>全部 rank</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>Rank %1</translation>
    </message>
    <message>
        <source>Show the &amp;log line</source>
        <translation>显示日志行(&amp;L)</translation>
    </message>
    <message>
        <source>No events yet. Saves, errors, deaths, stops and resumes appear here.</source>
        <translation>尚无事件。保存、错误、退出、停止和续训都会显示在这里。</translation>
    </message>
    <message numerus="yes">
        <source>None of the %n event(s) matches the filter. &quot;All events&quot; and &quot;All ranks&quot; show the others.</source>
        <translation>
            <numerusform>%n 个事件中没有符合此 rank、级别和文字的。选“所有事件”和“所有 rank”可看到其余事件。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::FailurePanel</name>
    <message>
        <source>Earlier failure</source>
        <translation>前一故障</translation>
    </message>
    <message>
        <source>Later failure</source>
        <translation>后一故障</translation>
    </message>
    <message>
        <source>Log around the failure</source>
        <translation>故障时刻前后的日志</translation>
    </message>
    <message>
        <source>Rank %1, %2</source>
        <translation>Rank %1，%2</translation>
    </message>
    <message>
        <source>Log of rank %1 around the failure</source>
        <translation>rank %1 故障时刻前后的日志</translation>
    </message>
    <message>
        <source>reading</source>
        <translation>读取中</translation>
    </message>
    <message>
        <source>Cannot read: %1</source>
        <translation>无法读取：%1</translation>
    </message>
    <message>
        <source>This log has no line from that time.</source>
        <translation>该时刻此日志无内容。</translation>
    </message>
    <message>
        <source>Show stack traces</source>
        <translation>显示调用栈</translation>
    </message>
    <message>
        <source>%1; none stands out.</source>
        <translation>%1，没有 rank 与众不同。</translation>
    </message>
    <message>
        <source>%1; rank %2 differs from the others.</source>
        <translation>%1，rank %2 与其他 rank 不同。</translation>
    </message>
    <message>
        <source>%1; ranks %2 differ from the others.</source>
        <translation>%1，rank %2 与其他 rank 不同。</translation>
    </message>
    <message>
        <source>Read from the processes and logs of all ranks; nothing was changed.</source>
        <translation>读自所有 rank 的进程和日志；未作任何改动。</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>ranks %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>No rank answered.</source>
        <translation>没有 rank 应答。</translation>
    </message>
    <message>
        <source>All ranks are being read.</source>
        <translation>正在读取所有 rank。</translation>
    </message>
    <message>
        <source>It takes about a second.</source>
        <translation>大约需要一秒。</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::FailureViews</name>
    <message>
        <source>If one fails, its log appears here beside its neighbours&apos; logs. If nothing moves and no rank has died, use &quot;Show stack traces&quot;.</source>
        <translation>一旦出错，其日志会与相邻 rank 的日志并列显示在此。若停滞不前而没有 rank 异常退出，请使用“显示调用栈”。</translation>
    </message>
    <message>
        <source>No rank has failed so far.</source>
        <translation>至今没有 rank 出错。</translation>
    </message>
    <message>
        <source>No known failure.</source>
        <translation>未发现故障。</translation>
    </message>
    <message numerus="yes">
        <source>Cannot tell whether %n rank(s) run.</source>
        <translation>
            <numerusform>有 %n 个 rank 不确定是否在运行。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::FileMap</name>
    <message>
        <source>%1: %2 of %3 bytes</source>
        <translation>%1：%3 字节中的 %2</translation>
    </message>
    <message>
        <source>%1: %2 bytes</source>
        <translation>%1：%2 字节</translation>
    </message>
    <message>
        <source>%1 B missing</source>
        <translation>缺 %1 B</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::FindingRow</name>
    <message>
        <source>Fixed by the plan:</source>
        <translation>计划已处理：</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>All of it</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Less</source>
        <translation>收起</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::FirstStart</name>
    <message>
        <source>Which machines train?</source>
        <translation>哪些机器在训练？</translation>
    </message>
    <message>
        <source>Recent jobs</source>
        <translation>最近的作业</translation>
    </message>
    <message>
        <source>Or without choosing hosts:</source>
        <translation>或不选主机：</translation>
    </message>
    <message>
        <source>Open job file…</source>
        <translation>打开作业文件…</translation>
    </message>
    <message>
        <source>Open history offline…</source>
        <translation>离线打开历史…</translation>
    </message>
    <message>
        <source>No cluster at hand?</source>
        <translation>手头没有集群？</translation>
    </message>
    <message>
        <source>Start the demo cluster</source>
        <translation>启动演示集群</translation>
    </message>
    <message>
        <source>A private cluster on this machine: 2 nodes and 8 ranks that really train and save, with faults on demand. It ends when you close it.</source>
        <translation>本机私有集群：2 个节点、8 个 rank，真实训练与保存，可按需注入故障。关闭即消失。</translation>
    </message>
    <message>
        <source>Starting the demo cluster</source>
        <translation>演示集群启动中</translation>
    </message>
    <message>
        <source>No host selected</source>
        <translation>未询问任何主机</translation>
    </message>
    <message>
        <source>%1 live, %2 need login, %3 connecting, %4 unusable</source>
        <translation>%1 在线，%2 需要您，%3 连接中，%4 不可用</translation>
    </message>
    <message>
        <source>Tick hosts. Rankdeck searches them for training processes and proposes a job. It installs nothing and writes nothing.</source>
        <translation>勾选主机，Rankdeck 会查找其上的训练进程并给出作业；无需输入，不安装、不写入任何内容。</translation>
    </message>
    <message>
        <source>Cannot open %1.</source>
        <translation>未打开 %1。</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::FoundCard</name>
    <message>
        <source>Edit job file…</source>
        <translation>编辑作业文件…</translation>
    </message>
    <message>
        <source>Watch this job</source>
        <translation>观察此作业</translation>
    </message>
    <message>
        <source>Edit the job file of %1</source>
        <translation>编辑 %1 的作业文件</translation>
    </message>
    <message>
        <source>Watch %1</source>
        <translation>观察 %1</translation>
    </message>
    <message numerus="yes">
        <source>Scan %n more host(s) of this job</source>
        <translation>
            <numerusform>再查看此作业的 %n 台主机</numerusform>
        </translation>
    </message>
    <message>
        <source>Searching for its files.</source>
        <translation>正在查找它的文件。</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::FoundJobWords</name>
    <message>
        <source>looking…</source>
        <translation>查看中…</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 在 %2</translation>
    </message>
    <message>
        <source>%1: ranks %2</source>
        <translation>%1：rank %2</translation>
    </message>
    <message>
        <source>, since %1</source>
        <translation>，自 %1 起</translation>
    </message>
    <message>
        <source>; the job has %1 ranks, so ranks %2 are on other hosts</source>
        <translation>；作业共 %1 个 rank，rank %2 在别处</translation>
    </message>
    <message>
        <source>: probably on %1</source>
        <translation>：可能在 %1</translation>
    </message>
    <message>
        <source>Logs</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>, %1 readable</source>
        <translation>，%1 可读</translation>
    </message>
    <message>
        <source>, no loss line at their end yet</source>
        <translation>，末尾尚无 loss 行</translation>
    </message>
    <message>
        <source>, with loss lines</source>
        <translation>，含 loss 行</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>Checkpoint</translation>
    </message>
    <message>
        <source>, judging…</source>
        <translation>，判定中…</translation>
    </message>
    <message numerus="yes">
        <source>, %n set(s)</source>
        <translation>
            <numerusform>，%n 个整组</numerusform>
        </translation>
    </message>
    <message>
        <source>, newest VALID %1</source>
        <translation>，最新有效 %1</translation>
    </message>
    <message>
        <source>, not checked: %1</source>
        <translation>，未判定：%1</translation>
    </message>
    <message>
        <source>some information is missing</source>
        <translation>所需内容未能全部看到</translation>
    </message>
    <message>
        <source>, none VALID; newest %1 %2</source>
        <translation>，无有效整组；最新为%1 %2</translation>
    </message>
    <message>
        <source>Graceful exit</source>
        <translation>优雅退出</translation>
    </message>
    <message>
        <source>its processes do not show how it stops: set a signal or a stop file as graceful_exit in the job file</source>
        <translation>进程中没有说明如何停止：请在作业文件的 graceful_exit 中指定信号或停止文件</translation>
    </message>
    <message>
        <source>%1 is not 1 in %2 processes: this run cannot stop gracefully</source>
        <translation>%2 个进程中 %1 不为 1：此次运行无法优雅退出</translation>
    </message>
    <message>
        <source>unknown: this login cannot read the environment of %1 processes</source>
        <translation>未知：%1 个进程的环境变量对此登录用户不可读</translation>
    </message>
    <message>
        <source>%1=1 in all %2 processes</source>
        <translation>全部 %2 个进程均有 %1=1</translation>
    </message>
    <message>
        <source>, searching for its config…</source>
        <translation>，正在查找其配置…</translation>
    </message>
    <message>
        <source>Restart with</source>
        <translation>重启方式</translation>
    </message>
    <message>
        <source>%1, the command line and environment of the running processes</source>
        <translation>%1，沿用运行中进程的命令行与环境变量</translation>
    </message>
    <message>
        <source>%1 ranks</source>
        <translation>%1 个 rank</translation>
    </message>
    <message numerus="yes">
        <source>%n rank(s)</source>
        <translation>
            <numerusform>%n 个 rank</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>, at step %1</source>
        <translation>，step %1</translation>
    </message>
    <message>
        <source>, at epoch %1, step %2</source>
        <translation>，epoch %1 step %2</translation>
    </message>
    <message>
        <source>the command line and environment of the running processes</source>
        <translation>沿用运行中进程的命令行与环境变量</translation>
    </message>
    <message numerus="yes">
        <source>; %n more that were just found: searching for their files…</source>
        <translation>
            <numerusform>；另有 %n 个刚刚发现，正在查找其文件…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::FoundJobs</name>
    <message>
        <source>Jobs found</source>
        <translation>找到的作业</translation>
    </message>
    <message>
        <source>on %1 hosts so far</source>
        <translation>已查看 %1 台主机</translation>
    </message>
    <message numerus="yes">
        <source>on %n host(s)</source>
        <translation>
            <numerusform>在 %n 台主机上</numerusform>
        </translation>
    </message>
    <message>
        <source>No training process yet: no process has a rank in its environment (RANK_ID, or RANK with LOCAL_RANK). The hosts are scanned again every 10 s.</source>
        <translation>尚无训练进程：没有进程的环境变量中有 rank（RANK_ID，或 RANK 与 LOCAL_RANK）。每 10 秒再查看一次。</translation>
    </message>
    <message>
        <source>None of these hosts can be scanned; the list says why.</source>
        <translation>这些主机都无法查看；原因见列表。</translation>
    </message>
    <message>
        <source>A job appears here as soon as the first host has answered.</source>
        <translation>首台主机应答后，作业会显示在此处。</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::HazardStrip</name>
    <message>
        <source>A stop is armed</source>
        <translation>退出已置位</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::Header</name>
    <message>
        <source>Step</source>
        <translation>Step</translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation>epoch %1</translation>
    </message>
    <message>
        <source>Loss (median)</source>
        <translation>Loss（中位数）</translation>
    </message>
    <message>
        <source>not finite on %1</source>
        <translation>%1 非有限</translation>
    </message>
    <message>
        <source>%1 ranks</source>
        <translation>%1 rank</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>单步耗时</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>was %1</source>
        <translation>此前 %1</translation>
    </message>
    <message>
        <source>median of ranks</source>
        <translation>各 rank 中位数</translation>
    </message>
    <message>
        <source>Last sample</source>
        <translation>最近样本</translation>
    </message>
    <message>
        <source>none yet</source>
        <translation>暂无</translation>
    </message>
    <message>
        <source>%1 nodes live</source>
        <translation>%1 节点在线</translation>
    </message>
    <message>
        <source>1 step</source>
        <translation>1 步</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 步</translation>
    </message>
    <message>
        <source>Lost if it dies now</source>
        <translation>若此刻故障将损失</translation>
    </message>
    <message>
        <source>no set is VALID yet</source>
        <translation>尚无有效整组</translation>
    </message>
    <message>
        <source>checkpoints are being read</source>
        <translation>正在读取 checkpoint</translation>
    </message>
    <message>
        <source>Lost if the exit save fails, since step %1</source>
        <translation>若退出保存失败将损失（自 step %1 起）</translation>
    </message>
    <message>
        <source>no rank is known to be running</source>
        <translation>没有已知在运行的 rank</translation>
    </message>
    <message>
        <source>0 once it is proven</source>
        <translation>证实后为 0</translation>
    </message>
    <message>
        <source>Lost if it dies now, since step %1</source>
        <translation>若此刻故障将损失（自 step %1 起）</translation>
    </message>
    <message>
        <source>Lost since step %1, the newest VALID set</source>
        <translation>自最新有效 step %1 起的损失</translation>
    </message>
    <message>
        <source>and %1 idle so far</source>
        <translation>另已闲置 %1</translation>
    </message>
    <message>
        <source>attempt %1</source>
        <translation>第 %1 次运行</translation>
    </message>
    <message>
        <source>no attempt seen yet</source>
        <translation>尚未见到运行</translation>
    </message>
    <message>
        <source>%1  ·  no step for %2</source>
        <translation>%1  ·  已 %2 无新 step</translation>
    </message>
    <message>
        <source>%1  ·  ended %2</source>
        <translation>%1  ·  %2结束</translation>
    </message>
    <message>
        <source>%1  ·  running %2</source>
        <translation>%1  ·  已运行 %2</translation>
    </message>
    <message>
        <source>Lost if it dies now, from the start</source>
        <translation>若现在中断，将从头损失</translation>
    </message>
    <message>
        <source>at most %1</source>
        <translation>最多 %1</translation>
    </message>
    <message>
        <source>%1 not listed since %2</source>
        <translation>%1 自 %2 起未能列出</translation>
    </message>
    <message>
        <source>Lost already, since step %1</source>
        <translation>已经损失，自 step %1 起</translation>
    </message>
    <message>
        <source>an exit save would contain NaN</source>
        <translation>退出时保存的内容会含 NaN</translation>
    </message>
    <message>
        <source>no step yet</source>
        <translation>尚不知 step</translation>
    </message>
    <message>
        <source>no node answers</source>
        <translation>没有节点应答</translation>
    </message>
    <message>
        <source>the stop cannot finish</source>
        <translation>停止无法完成</translation>
    </message>
    <message>
        <source>%1  ·  starts, compiles: %2</source>
        <translation>%1  ·  启动、编译中：%2</translation>
    </message>
    <message>
        <source>no set is known to be VALID</source>
        <translation>没有已知有效的整组</translation>
    </message>
    <message>
        <source>%1 % of %2</source>
        <translation>%2 的 %1%</translation>
    </message>
    <message>
        <source>%1 %, %2 left</source>
        <translation>%1%，还剩 %2</translation>
    </message>
    <message>
        <source>of %1 steps</source>
        <translation>共 %1 个 step</translation>
    </message>
    <message>
        <source>Lost already, from the start</source>
        <translation>已损失，从头算起</translation>
    </message>
    <message>
        <source>Lost when it stops, since step %1</source>
        <translation>停止时将丢失，自 step %1</translation>
    </message>
    <message>
        <source>the script saves nothing when it is stopped</source>
        <translation>脚本在停止时不保存</translation>
    </message>
    <message>
        <source>Protected</source>
        <translation>受保护</translation>
    </message>
    <message>
        <source>MindSpore&apos;s fault tolerance, from MS_ENABLE_TFT of the running ranks</source>
        <translation>MindSpore 的容错，依正在运行的各 rank 的 MS_ENABLE_TFT</translation>
    </message>
    <message>
        <source>Lost</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>the exit save contains NaN</source>
        <translation>退出时的保存含 NaN</translation>
    </message>
    <message>
        <source>Lost since step %1, which is kept</source>
        <translation>自已保留的第 %1 步以来损失</translation>
    </message>
    <message>
        <source>at the last contact, %1</source>
        <translation>最后一次收到消息时（%1）</translation>
    </message>
    <message>
        <source>no set is VALID</source>
        <translation>没有有效整组</translation>
    </message>
    <message>
        <source>Lost if it has died, from the start</source>
        <translation>若已中断，将从头损失</translation>
    </message>
    <message>
        <source>Lost if it has died, since step %1</source>
        <translation>若已异常退出将损失（自 step %1 起）</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::HeaderBar</name>
    <message>
        <source>Other ways to stop</source>
        <translation>其他停止方式</translation>
    </message>
    <message>
        <source>Job %1</source>
        <translation>作业 %1</translation>
    </message>
    <message>
        <source>on %1</source>
        <translation>于 %1</translation>
    </message>
    <message>
        <source>ARMED</source>
        <translation>已置位</translation>
    </message>
    <message>
        <source>&amp;Resume…</source>
        <translation>断点续训(&amp;R)…</translation>
    </message>
    <message>
        <source>Resume, %1</source>
        <translation>断点续训，%1</translation>
    </message>
    <message>
        <source>choosing a set</source>
        <translation>选择整组中</translation>
    </message>
    <message>
        <source>offline</source>
        <translation>离线</translation>
    </message>
    <message>
        <source>, as of %1</source>
        <translation>，截至 %1</translation>
    </message>
    <message>
        <source>Offline: connect first.</source>
        <translation>离线：请先连接。</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::HistoryBar</name>
    <message>
        <source>Whole job</source>
        <translation>整个作业</translation>
    </message>
    <message>
        <source>whole job, %1 to %2</source>
        <translation>整个作业，%1 至 %2</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::HostKeyDialog</name>
    <message>
        <source>Unknown host key</source>
        <translation>未知主机密钥</translation>
    </message>
    <message>
        <source>Is this really %1?</source>
        <translation>这确实是 %1 吗？</translation>
    </message>
    <message>
        <source>You have not connected to it before. Compare the fingerprint with the one from its administrator.</source>
        <translation>此前未连接过。请与管理员提供的指纹核对。</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>密钥</translation>
    </message>
    <message>
        <source>Fingerprint</source>
        <translation>指纹</translation>
    </message>
    <message>
        <source>Kept in</source>
        <translation>保存于</translation>
    </message>
    <message>
        <source>Trust this key</source>
        <translation>信任此密钥</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::HostsBox</name>
    <message>
        <source>Hosts</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Try again now</source>
        <translation>立即重试</translation>
    </message>
    <message>
        <source>Read-only: one small process per node, with bounded CPU and memory. It ends when this window closes.</source>
        <translation>只读：每节点一个小进程，CPU 与内存受限，窗口关闭即消失。</translation>
    </message>
    <message>
        <source>no names in %1</source>
        <translation>%1 中没有主机名</translation>
    </message>
    <message numerus="yes">
        <source>from %1, %n name(s)</source>
        <translation>
            <numerusform>来自 %1，%n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Filter the hosts</source>
        <translation>筛选主机</translation>
    </message>
    <message>
        <source>Add a host</source>
        <translation>添加主机</translation>
    </message>
    <message>
        <source>Add host</source>
        <translation>添加主机</translation>
    </message>
    <message>
        <source>From file…</source>
        <translation>从文件…</translation>
    </message>
    <message>
        <source>A hostfile with one host in each line, or an Ascend rank table (hccl.json)</source>
        <translation>每行一台主机的 hostfile，或昇腾 rank table（hccl.json）</translation>
    </message>
    <message>
        <source>Not a valid host name.</source>
        <translation>这不是主机。</translation>
    </message>
    <message>
        <source>Expected a name from the ssh config or user@host:port, found &quot;%1&quot;.</source>
        <translation>应为 ssh 配置中的名称或 user@host:port，实为 &quot;%1&quot;。</translation>
    </message>
    <message>
        <source>Not a valid list of hosts.</source>
        <translation>这不是主机列表。</translation>
    </message>
    <message>
        <source>A hostfile or a rank table</source>
        <translation>hostfile 或 rank table</translation>
    </message>
    <message>
        <source>No hosts found in %1.</source>
        <translation>未能从 %1 取得主机。</translation>
    </message>
    <message>
        <source>Answer…</source>
        <translation>回答…</translation>
    </message>
    <message>
        <source>user@host:port, ascend-[01-64], slurm:4711, k8s:default/pod</source>
        <translation>user@host:port、ascend-[01-64]、slurm:4711、k8s:default/pod</translation>
    </message>
    <message>
        <source>Slurm named no hosts.</source>
        <translation>未从 Slurm 取得任何主机。</translation>
    </message>
    <message>
        <source>Expected squeue in the PATH of this machine, found none. Name the hosts instead.</source>
        <translation>本机的 PATH 中应有 squeue，但没有找到。请直接输入主机名。</translation>
    </message>
    <message>
        <source>squeue did not answer in time.</source>
        <translation>squeue 未及时应答。</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::HostsModel</name>
    <message>
        <source>queued</source>
        <translation>排队</translation>
    </message>
    <message>
        <source>not asked</source>
        <translation>未询问</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message numerus="yes">
        <source>%n process(es) look like training, but this login cannot read their environment (the first: pid %1 of %2). Log in as that user: %2@%3.</source>
        <translation>
            <numerusform>%n 个进程像是训练，但其环境变量对此登录用户不可读（第一个：%2 的 pid %1）。请以该用户登录，例如 %2@%3。</numerusform>
        </translation>
    </message>
    <message>
        <source>not asked: hosts cannot be scanned here</source>
        <translation>未查看：此处没有查看主机的功能</translation>
    </message>
    <message>
        <source>live, %1 ms</source>
        <translation>在线，%1 ms</translation>
    </message>
    <message>
        <source>%1, not scanned: %2</source>
        <translation>%1，未能查看：%2</translation>
    </message>
    <message>
        <source>%1, looking…</source>
        <translation>%1，查看中…</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n training process(es)</source>
        <translation>
            <numerusform>%1，%n 个训练进程</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, nothing trains</source>
        <translation>%1，没有训练</translation>
    </message>
    <message>
        <source>%1, training of another user</source>
        <translation>%1，有其他用户的训练</translation>
    </message>
    <message>
        <source>, %1 s</source>
        <translation>，%1 秒</translation>
    </message>
    <message>
        <source>%1, next try in %2 s</source>
        <translation>%1，%2 秒后重试</translation>
    </message>
    <message>
        <source>Reached as</source>
        <translation>连接方式</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::InspectorPane</name>
    <message>
        <source>Records</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>Check every byte</source>
        <translation>检查每个字节</translation>
    </message>
    <message>
        <source>Show its log</source>
        <translation>显示其日志</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>复制路径</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>证据</translation>
    </message>
    <message>
        <source>File map</source>
        <translation>文件结构</translation>
    </message>
    <message>
        <source>L0  Listing</source>
        <translation>L0  列表</translation>
    </message>
    <message>
        <source>L1  Structure</source>
        <translation>L1  结构</translation>
    </message>
    <message>
        <source>L2  Cross-ref.</source>
        <translation>L2  互证</translation>
    </message>
    <message>
        <source>L3  Meaning</source>
        <translation>L3  含义</translation>
    </message>
    <message>
        <source>L4  Every byte</source>
        <translation>L4  逐字节</translation>
    </message>
    <message>
        <source>Find (Ctrl+F)</source>
        <translation>查找 (Ctrl+F)</translation>
    </message>
    <message>
        <source>Find a record</source>
        <translation>查找记录</translation>
    </message>
    <message>
        <source>read %1; not read again until size or mtime changes</source>
        <translation>%1读取；大小或 mtime 不变则不再读取</translation>
    </message>
    <message>
        <source>Nothing here</source>
        <translation>此处无内容</translation>
    </message>
    <message>
        <source>This set is not listed any more.</source>
        <translation>该整组已不在列表中。</translation>
    </message>
    <message>
        <source>Rank %1, step %2: %3</source>
        <translation>Rank %1，step %2：%3</translation>
    </message>
    <message>
        <source>The set %1 is %2 because of this file.</source>
        <translation>整组 %1 因此文件判定为%2。</translation>
    </message>
    <message>
        <source>The set %1 is %2.</source>
        <translation>整组 %1 判定为%2。</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>%1 B in the largest complete one</source>
        <translation>完整文件最大 %1 B</translation>
    </message>
    <message>
        <source>not reached</source>
        <translation>未达到</translation>
    </message>
    <message>
        <source>not asked</source>
        <translation>未询问</translation>
    </message>
    <message numerus="yes">
        <source>%n record(s)</source>
        <translation>
            <numerusform>%n 条记录</numerusform>
        </translation>
    </message>
    <message>
        <source>no file is listed</source>
        <translation>未列出文件</translation>
    </message>
    <message>
        <source>%1 B</source>
        <translation>%1 B</translation>
    </message>
    <message>
        <source>being read</source>
        <translation>读取中</translation>
    </message>
    <message numerus="yes">
        <source>%n complete record(s)</source>
        <translation>
            <numerusform>%n 条记录，完整</numerusform>
        </translation>
    </message>
    <message>
        <source>agrees with the other ranks</source>
        <translation>与其他 rank 一致</translation>
    </message>
    <message>
        <source>does not show its step</source>
        <translation>未说明 step</translation>
    </message>
    <message>
        <source>read; has no checksum</source>
        <translation>已读；无校验和</translation>
    </message>
    <message>
        <source>checksum read</source>
        <translation>校验和已读</translation>
    </message>
    <message>
        <source>differs from the other ranks</source>
        <translation>与其他 rank 不一致</translation>
    </message>
    <message numerus="yes">
        <source>the same as %n other rank(s)</source>
        <translation>
            <numerusform>与其他 %n 个 rank 一致</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n differ(s)</source>
        <translation>
            <numerusform>%n 个不同</numerusform>
        </translation>
    </message>
    <message>
        <source>Cancel the check</source>
        <translation>取消检查</translation>
    </message>
    <message>
        <source>being read on the nodes, %1 %</source>
        <translation>正在节点上读取，%1 %</translation>
    </message>
    <message>
        <source>could not be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Set and rank</source>
        <translation>整组与 rank</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s)</source>
        <translation>
            <numerusform>%n 个文件</numerusform>
        </translation>
    </message>
    <message>
        <source>all ranks</source>
        <translation>所有 rank</translation>
    </message>
    <message>
        <source>Set %1, %2, %3: %4.</source>
        <translation>整组 %1，%2，%3：%4。</translation>
    </message>
    <message>
        <source>Broken law: %1.</source>
        <translation>违反的规则：%1。</translation>
    </message>
    <message>
        <source>Good to know: %1.</source>
        <translation>值得了解：%1。</translation>
    </message>
    <message>
        <source>Not proven: %1.</source>
        <translation>未证实：%1。</translation>
    </message>
    <message>
        <source>Not complete yet: %1.</source>
        <translation>尚不完整：%1。</translation>
    </message>
    <message>
        <source>Could not be checked: %1.</source>
        <translation>无法检查：%1。</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::JobChecks</name>
    <message>
        <source>On the nodes, now</source>
        <translation>节点上的现状</translation>
    </message>
    <message>
        <source>not known yet</source>
        <translation>尚不清楚</translation>
    </message>
    <message numerus="yes">
        <source>Connect to %n host(s)</source>
        <translation>
            <numerusform>连接 %n 台主机</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::JobEditor</name>
    <message>
        <source>Watch this job</source>
        <translation>观察此作业</translation>
    </message>
    <message>
        <source>Job file</source>
        <translation>作业文件</translation>
    </message>
    <message>
        <source>Back to the jobs found</source>
        <translation>返回找到的作业</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>This is a job file.</source>
        <translation>这是有效的作业文件。</translation>
    </message>
    <message>
        <source>Save the job file</source>
        <translation>保存作业文件</translation>
    </message>
    <message>
        <source>Job files (*.rankdeck.json)</source>
        <translation>作业文件 (*.rankdeck.json)</translation>
    </message>
    <message>
        <source>Saved as %1.</source>
        <translation>已保存为 %1。</translation>
    </message>
    <message>
        <source>The clipboard has nothing to paste here.</source>
        <translation>未从剪贴板取用任何内容。</translation>
    </message>
    <message>
        <source>The section launch was filled from the clipboard. Ctrl+Z in the text undoes it.</source>
        <translation>launch 部分已按剪贴板内容填写；在文本中按 Ctrl+Z 可撤销。</translation>
    </message>
    <message>
        <source>It starts %1 ranks, but the nodes here have %2.</source>
        <translation>它启动 %1 个 rank，此处节点共有 %2 个。</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::JobForm</name>
    <message>
        <source>Add a node</source>
        <translation>添加节点</translation>
    </message>
    <message>
        <source>Remove the node</source>
        <translation>移除节点</translation>
    </message>
    <message>
        <source>Keys of the job file</source>
        <translation>作业文件的键</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Job</source>
        <translation>作业</translation>
    </message>
    <message>
        <source>rank %1: %2</source>
        <translation>rank %1：%2</translation>
    </message>
    <message>
        <source>Placeholders: %1</source>
        <translation>占位符：%1</translation>
    </message>
    <message>
        <source>Choose a key to see what it is for.</source>
        <translation>选择一个键，这里说明它的用途。</translation>
    </message>
    <message>
        <source>The text is not valid JSON. The form waits until it is.</source>
        <translation>文本不是 JSON：表单等待其更正。</translation>
    </message>
    <message>
        <source>Paste the launch command</source>
        <translation>粘贴启动命令</translation>
    </message>
    <message>
        <source>Fills the section launch from the clipboard: a line with msrun, torchrun, mpirun, srun or python, an sbatch script, or the YAML of a vcjob</source>
        <translation>用剪贴板内容填写 launch 部分：含 msrun、torchrun、mpirun、srun 或 python 的命令行，sbatch 脚本，或 vcjob 的 YAML</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::JobKeyWords</name>
    <message>
        <source>Type it as 0-3, 5.</source>
        <translation>写作 0-3, 5。</translation>
    </message>
    <message>
        <source>Type it as in a shell: put words with blanks in quotes.</source>
        <translation>与 shell 中一样书写：含空格的词加引号。</translation>
    </message>
    <message>
        <source>Type NAME=VALUE, separated by blanks.</source>
        <translation>依次写作 NAME=VALUE。</translation>
    </message>
    <message>
        <source>Type it as JSON.</source>
        <translation>写作 JSON。</translation>
    </message>
    <message>
        <source>The version of this format: 1.</source>
        <translation>此格式的版本：1。</translation>
    </message>
    <message>
        <source>Name of the job. Its history and journal are found by this name and by the path of the job file.</source>
        <translation>作业名。历史和操作记录按它和作业文件的位置区分。</translation>
    </message>
    <message>
        <source>Number of ranks. Default: the highest rank of the nodes, plus one.</source>
        <translation>rank 数。默认：节点中最大的 rank 加一。</translation>
    </message>
    <message>
        <source>The framework that writes the logs and checkpoints. Default: detected.</source>
        <translation>日志和 checkpoint 属于哪个框架。默认：自动识别。</translation>
    </message>
    <message>
        <source>All nodes see the same files, for example over NFS. Each file is read once, and the config is written once.</source>
        <translation>所有节点看到相同的文件（如 NFS）：文件只读一次，配置只写一次。</translation>
    </message>
    <message>
        <source>Default: learned from the logs.</source>
        <translation>默认：从日志得知。</translation>
    </message>
    <message>
        <source>The OpenSSH config to use, as with ssh -F. A file that others can write is refused, because it can run programs.</source>
        <translation>所用的 OpenSSH 配置，同 ssh -F。他人可写的会被拒绝，因为它可以运行程序。</translation>
    </message>
    <message>
        <source>Name shown to people. Default: the host.</source>
        <translation>供人阅读。默认：主机名。</translation>
    </message>
    <message>
        <source>A host as for ssh: an alias from its config, or user@host:port. Also local for this machine, k8s:NAMESPACE/POD, or container:NAME.</source>
        <translation>ssh 接受的名称：其配置中的别名、user@host:port、local 表示本机、k8s:NAMESPACE/POD 表示 Pod，或 container:NAME。</translation>
    </message>
    <message>
        <source>The ranks on this node; the position is the local rank. Default: equal parts in order, as msrun does.</source>
        <translation>此节点上的 rank；所在位置即 local rank。所有节点都省略时按顺序均分，与 msrun 相同。</translation>
    </message>
    <message>
        <source>For a pod or container: the ssh host that has kubectl, podman or docker.</source>
        <translation>Pod 或容器：装有 kubectl、podman 或 docker 的 ssh 主机。</translation>
    </message>
    <message>
        <source>libssh is the default; ssh uses the system&apos;s own program, for ProxyCommand and host certificates.</source>
        <translation>默认 libssh；ssh 使用系统自带的程序，用于 ProxyCommand 和主机证书。</translation>
    </message>
    <message>
        <source>The python3 to use on this node. Default: /usr/bin/python3, then the one in PATH.</source>
        <translation>此节点上应答的 python3。默认：/usr/bin/python3，其次是 PATH 中的。</translation>
    </message>
    <message>
        <source>Environment of the processes launched on this node only.</source>
        <translation>仅用于此节点上所启动进程的环境变量。</translation>
    </message>
    <message>
        <source>The log of one rank.</source>
        <translation>一个 rank 的日志。</translation>
    </message>
    <message>
        <source>The output of msrun or torchrun itself on each node: the only evidence of a killed rank.</source>
        <translation>各节点上 msrun 或 torchrun 自身输出的位置：rank 被杀时唯一的证据。</translation>
    </message>
    <message>
        <source>MindIO&apos;s own log on each node: its events, and which ranks are replicas.</source>
        <translation>各节点上 MindIO 自己的日志：其事件，以及哪些 rank 互为副本。</translation>
    </message>
    <message>
        <source>RE2 pattern for your own loss line, with the group loss and any of epoch, step, global_step, lr, step_time_ms.</source>
        <translation>自定义 loss 行的 RE2，含分组 loss，可含 epoch、step、global_step、lr、step_time_ms。</translation>
    </message>
    <message>
        <source>RE2 pattern for the script&apos;s own line about a load, with any of the groups epoch, step, global_step, path.</source>
        <translation>脚本自己的加载行的 RE2：可含 epoch、step、global_step、path。</translation>
    </message>
    <message>
        <source>The directory of one rank.</source>
        <translation>一个 rank 的目录。</translation>
    </message>
    <message>
        <source>The prefix of ModelCheckpoint. It distinguishes a second run from a prefix that ends in a number.</source>
        <translation>ModelCheckpoint 的前缀：区分第二次运行和以数字结尾的前缀。</translation>
    </message>
    <message>
        <source>Ranks that have the same parameters: &quot;all&quot;, or lists of ranks. One file of a group serves the whole group.</source>
        <translation>持有相同参数的 rank：&quot;all&quot; 或 rank 列表。组内一个可供其他 rank 使用。</translation>
    </message>
    <message>
        <source>The ranks that save: every rank, the first of each node, or rank 0 for all.</source>
        <translation>哪些 rank 保存：每个、每个节点的第一个，或由 rank 0 代替所有。</translation>
    </message>
    <message>
        <source>The JSON file that OnRequestExit reads.</source>
        <translation>OnRequestExit 读取的 JSON 文件。</translation>
    </message>
    <message>
        <source>In pods: the ConfigMap whose key reset.json becomes that file. Rankdeck writes the ConfigMap.</source>
        <translation>在 Pod 中：其键 reset.json 成为该文件的 ConfigMap。写入的是它。</translation>
    </message>
    <message>
        <source>The *_train.ckpt of one rank. MindSpore uses the device&apos;s number in its path.</source>
        <translation>一个 rank 的 *_train.ckpt。MindSpore 在其路径中使用设备号。</translation>
    </message>
    <message>
        <source>For a script without that file: the signal that is sent to every rank.</source>
        <translation>用于没有该文件的脚本：发给每个 rank 的信号。</translation>
    </message>
    <message>
        <source>For a script that stops when this file exists. Rankdeck removes it when all ranks are gone.</source>
        <translation>用于该文件存在即停止的脚本。所有 rank 退出后删除。</translation>
    </message>
    <message>
        <source>The signal that Slurm sends. Rankdeck calls scancel on the first node.</source>
        <translation>由 Slurm 发送的信号：在第一个节点上执行 scancel。</translation>
    </message>
    <message>
        <source>For scancel. Default: SLURM_JOB_ID of the ranks.</source>
        <translation>用于 scancel。默认：各 rank 的 SLURM_JOB_ID。</translation>
    </message>
    <message>
        <source>The way to start the processes: msrun, torchrun or mpirun once per node, the command once per rank, or a cluster.</source>
        <translation>由谁启动进程：msrun、torchrun 或 mpirun 每节点一次，command 每 rank 一次，或由集群启动。</translation>
    </message>
    <message>
        <source>The training command. You can paste a line with its launcher (msrun …, torchrun …).</source>
        <translation>训练命令。可粘贴带启动器的整行（msrun …、torchrun …），会自动拆分。</translation>
    </message>
    <message>
        <source>The working directory of the commands.</source>
        <translation>命令的工作目录。</translation>
    </message>
    <message>
        <source>Environment of every process.</source>
        <translation>每个进程的环境变量。</translation>
    </message>
    <message>
        <source>How the training script learns what to load. Default: by {checkpoint} in the command.</source>
        <translation>如何告诉训练脚本加载什么。省略时：由命令中的 {checkpoint}。</translation>
    </message>
    <message>
        <source>The YAML or Python file that tells the script what to load.</source>
        <translation>告诉脚本加载什么的 YAML 或 Python 文件。</translation>
    </message>
    <message>
        <source>Further keys of that file.</source>
        <translation>该文件的其他键。</translation>
    </message>
    <message>
        <source>The command runs once on a node and starts its ranks itself.</source>
        <translation>命令在每个节点上运行一次，并自行启动其 rank。</translation>
    </message>
    <message>
        <source>TTP, UCE, HCCE, ARF, TRE, TSP, RSC: becomes MS_ENABLE_TFT and MINDIO_FOR_MINDSPORE.</source>
        <translation>TTP、UCE、HCCE、ARF、TRE、TSP、RSC：成为 MS_ENABLE_TFT 和 MINDIO_FOR_MINDSPORE。</translation>
    </message>
    <message>
        <source>Further options of the launcher.</source>
        <translation>启动器的其他选项。</translation>
    </message>
    <message>
        <source>The address at which the ranks meet. Default: the first node.</source>
        <translation>各 rank 会合的地址。默认：第一个节点。</translation>
    </message>
    <message>
        <source>Its port. Default: 8118.</source>
        <translation>其端口。默认：8118。</translation>
    </message>
    <message>
        <source>The program. Default: msrun of PATH.</source>
        <translation>程序。默认：PATH 中的 msrun。</translation>
    </message>
    <message>
        <source>hccl.json on the nodes: the ranks find their place in it.</source>
        <translation>节点上的 hccl.json：各 rank 由它得知自己的位置。</translation>
    </message>
    <message>
        <source>The file in which a script reads which ranks have failed. A resume from an emergency checkpoint writes it.</source>
        <translation>脚本从何处读取哪些 rank 失败。由临终 CKPT 的断点续训写入。</translation>
    </message>
    <message>
        <source>Parent of the directories with links to the chosen set. Default: .rankdeck/views in the working directory.</source>
        <translation>存放所选整组链接的目录位置。默认：工作目录下的 .rankdeck/views。</translation>
    </message>
    <message>
        <source>The node that runs sbatch or kubectl. Default: the first with ranks.</source>
        <translation>运行 sbatch 或 kubectl 的节点。默认：第一个有 rank 的节点。</translation>
    </message>
    <message>
        <source>Your own YAML with the vcjob, on the node that submits. Then most keys below come from it.</source>
        <translation>您自己的 vcjob YAML，位于提交的节点。此时下面多数键取自它。</translation>
    </message>
    <message>
        <source>The image of the pods.</source>
        <translation>Pod 的镜像。</translation>
    </message>
    <message>
        <source>Default: default.</source>
        <translation>默认：default。</translation>
    </message>
    <message>
        <source>The device that each rank requests. Default: huawei.com/Ascend910; empty: none.</source>
        <translation>每个 rank 申请的设备。默认：huawei.com/Ascend910；空：无。</translation>
    </message>
    <message>
        <source>Path in the pods and path on the hosts, nfs://SERVER/PATH, or memory://16Gi for /dev/shm.</source>
        <translation>Pod 内的路径与主机上的路径、nfs://SERVER/PATH，或 /dev/shm 的 memory://16Gi。</translation>
    </message>
    <message>
        <source>Labels of the job and its pods.</source>
        <translation>作业及其 Pod 的标签。</translation>
    </message>
    <message>
        <source>Labels that a node must have.</source>
        <translation>节点必须具有的标签。</translation>
    </message>
    <message>
        <source>Seconds that a pod may take to end. Default: 600.</source>
        <translation>Pod 结束允许的秒数。默认：600。</translation>
    </message>
    <message>
        <source>The command runs once in a pod and starts its ranks itself.</source>
        <translation>命令在每个 Pod 中运行一次，并自行启动其 rank。</translation>
    </message>
    <message>
        <source>The ssh host that runs kubectl. Default: this machine.</source>
        <translation>运行 kubectl 的 ssh 主机。默认：本机。</translation>
    </message>
    <message>
        <source>The context of kubectl.</source>
        <translation>kubectl 的 context。</translation>
    </message>
    <message>
        <source>Its absolute path on the host that runs kubectl.</source>
        <translation>在运行 kubectl 的主机上的绝对路径。</translation>
    </message>
    <message>
        <source>The program. Default: kubectl.</source>
        <translation>程序。默认：kubectl。</translation>
    </message>
    <message>
        <source>For hundreds of nodes: head nodes that open the sessions to all other nodes with their own ssh, each to an equal part. Names of nodes, or hosts as for ssh.</source>
        <translation>节点有数百个时使用：由这些头节点用自己的 ssh 打开到其余节点的会话，各自负责等量的节点。填写节点名称，或 ssh 能接受的主机。</translation>
    </message>
    <message>
        <source>The head node that opens the session to this node with its own ssh: the name of another node, or a host as for ssh. Default: chosen from relays.</source>
        <translation>用自己的 ssh 打开到本节点会话的头节点：另一个节点的名称，或 ssh 能接受的主机。默认：在 relays 中分到的那一个。</translation>
    </message>
    <message>
        <source>Role → label, for numbers that are read wrongly: loss, step, epoch, total, lr, grad_norm, loss_scale, step_seconds, throughput. rankdeckctl logs shows how each number is read.</source>
        <translation>角色 → 标签，用于会被读错的数字：loss、step、epoch、total、lr、grad_norm、loss_scale、step_seconds、throughput。rankdeckctl logs 会显示每个数字的读法。</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::JobPage</name>
    <message>
        <source>Lost with the chosen set, %1</source>
        <translation>选择整组 %1 的损失</translation>
    </message>
    <message>
        <source>ARMED: %1 — Rankdeck</source>
        <translation>已置位：%1 — Rankdeck</translation>
    </message>
    <message>
        <source>%1 — Rankdeck</source>
        <translation>%1 — Rankdeck</translation>
    </message>
    <message>
        <source>Offline, as of %1.</source>
        <translation>离线，截至 %1。</translation>
    </message>
    <message>
        <source>This is the history on this machine. No node is contacted.</source>
        <translation>这是本机上的历史；不询问任何节点。</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Offline, as of %1: %2 — Rankdeck</source>
        <translation>离线，截至 %1：%2 — Rankdeck</translation>
    </message>
    <message>
        <source>%1 (acknowledged)</source>
        <translation>%1（已阅）</translation>
    </message>
    <message>
        <source>%1: %2 — Rankdeck</source>
        <translation>%1：%2 — Rankdeck</translation>
    </message>
    <message>
        <source>%1, ARMED: %2 — Rankdeck</source>
        <translation>%1，已置位：%2 — Rankdeck</translation>
    </message>
    <message>
        <source>No node answers</source>
        <translation>没有节点应答</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::JournalModel</name>
    <message>
        <source>Stop gracefully</source>
        <translation>优雅退出</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>断点续训</translation>
    </message>
    <message>
        <source>Cancel the stop</source>
        <translation>取消退出</translation>
    </message>
    <message>
        <source>Escalate</source>
        <translation>升级</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Read the journal</source>
        <translation>读取操作记录</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>User</source>
        <translation>操作人</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>planned</source>
        <translation>已计划</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>preparing</source>
        <translation>准备中</translation>
    </message>
    <message>
        <source>prepared</source>
        <translation>已准备</translation>
    </message>
    <message>
        <source>arming</source>
        <translation>写入中</translation>
    </message>
    <message>
        <source>armed</source>
        <translation>已写入</translation>
    </message>
    <message>
        <source>arming failed</source>
        <translation>写入失败</translation>
    </message>
    <message>
        <source>confirmed</source>
        <translation>已确认</translation>
    </message>
    <message>
        <source>in progress</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>停止中</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>signalled</source>
        <translation>已发信号</translation>
    </message>
    <message>
        <source>escalating</source>
        <translation>升级中</translation>
    </message>
    <message>
        <source>ladder ended</source>
        <translation>升级结束</translation>
    </message>
    <message>
        <source>resetting</source>
        <translation>复位中</translation>
    </message>
    <message>
        <source>reset</source>
        <translation>已复位</translation>
    </message>
    <message>
        <source>swept</source>
        <translation>已清理</translation>
    </message>
    <message>
        <source>taken back</source>
        <translation>已撤回</translation>
    </message>
    <message>
        <source>stop request left</source>
        <translation>标志残留</translation>
    </message>
    <message>
        <source>launching</source>
        <translation>启动中</translation>
    </message>
    <message>
        <source>launched</source>
        <translation>已启动</translation>
    </message>
    <message>
        <source>launch failed</source>
        <translation>启动失败</translation>
    </message>
    <message>
        <source>started</source>
        <translation>已开始</translation>
    </message>
    <message>
        <source>proven</source>
        <translation>已证实</translation>
    </message>
    <message>
        <source>rolling back</source>
        <translation>回退中</translation>
    </message>
    <message>
        <source>rolled back</source>
        <translation>已回退</translation>
    </message>
    <message>
        <source>leftover processes</source>
        <translation>有残留进程</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>已拒绝</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>已结束</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::JournalPanel</name>
    <message>
        <source>Journal</source>
        <translation>操作记录</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Export the journal</source>
        <translation>导出操作记录</translation>
    </message>
    <message>
        <source>Tab-separated text (*.tsv)</source>
        <translation>制表符分隔文本 (*.tsv)</translation>
    </message>
    <message>
        <source>exported to %1</source>
        <translation>已导出到 %1</translation>
    </message>
    <message>
        <source>not exported: %1</source>
        <translation>未导出：%1</translation>
    </message>
    <message>
        <source>No actions on this job yet. Stops, resumes and kept sets appear here, step by step.</source>
        <translation>尚未对此任务做过任何操作。停止、续训和保留的整组会逐步记录在这里。</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::KillDialog</name>
    <message>
        <source>Kill processes</source>
        <translation>杀死进程</translation>
    </message>
    <message>
        <source>Terminate processes</source>
        <translation>终止进程</translation>
    </message>
    <message numerus="yes">
        <source>Kill %n process(es)?</source>
        <translation>
            <numerusform>杀死 %n 个进程？</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Terminate %n process(es)?</source>
        <translation>
            <numerusform>终止 %n 个进程？</numerusform>
        </translation>
    </message>
    <message>
        <source>A process that handles SIGTERM itself may keep running. Then use SIGKILL.</source>
        <translation>自行处理 SIGTERM 的进程可能继续运行；那时只剩 SIGKILL。</translation>
    </message>
    <message>
        <source>Exactly these processes</source>
        <translation>仅这些进程</translation>
    </message>
    <message numerus="yes">
        <source>Kill %n process(es)</source>
        <translation>
            <numerusform>杀死 %n 个进程</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Terminate %n process(es)</source>
        <translation>
            <numerusform>终止 %n 个进程</numerusform>
        </translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::LaneGutter</name>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>stale %1</source>
        <translation>失联 %1</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>died</source>
        <translation>故障</translation>
    </message>
    <message>
        <source>retry %1</source>
        <translation>%1 后重试</translation>
    </message>
    <message>
        <source>armed</source>
        <translation>已置位</translation>
    </message>
    <message>
        <source>%1, retry in %2</source>
        <translation>%1，%2 后重试</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>rank %1 died</source>
        <translation>rank %1 故障</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::LaneModel</name>
    <message numerus="yes">
        <source>%n ranks without a file</source>
        <translation>
            <numerusform>%n 个 rank 无文件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n ranks of another step</source>
        <translation>
            <numerusform>%n 个 rank step 不同</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n ranks torn</source>
        <translation>
            <numerusform>%n 个 rank 损坏</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n ranks short</source>
        <translation>
            <numerusform>%n 个 rank 不足</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n ranks unreadable</source>
        <translation>
            <numerusform>%n 个 rank 不可读</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 to %2: %3</source>
        <translation>%1 至 %2：%3</translation>
    </message>
    <message numerus="yes">
        <source>%n bad</source>
        <translation>
            <numerusform>%n 个异常</numerusform>
        </translation>
    </message>
    <message>
        <source>rank %1, step %2</source>
        <translation>rank %1，step %2</translation>
    </message>
    <message>
        <source>nothing known</source>
        <translation>一无所知</translation>
    </message>
    <message>
        <source>Rank %1, %2</source>
        <translation>Rank %1，%2</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>step %1</translation>
    </message>
    <message>
        <source>loss %1</source>
        <translation>loss %1</translation>
    </message>
    <message>
        <source>Set %1, %2</source>
        <translation>整组 %1，%2</translation>
    </message>
    <message>
        <source>newest VALID</source>
        <translation>最新有效</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>died %1</source>
        <translation>%1 故障</translation>
    </message>
    <message>
        <source>died</source>
        <translation>故障</translation>
    </message>
    <message>
        <source>exited</source>
        <translation>已退出</translation>
    </message>
    <message>
        <source>no contact</source>
        <translation>无消息</translation>
    </message>
    <message>
        <source>rank %1, %2</source>
        <translation>rank %1，%2</translation>
    </message>
    <message>
        <source>ended</source>
        <translation>已结束</translation>
    </message>
    <message>
        <source>hangs</source>
        <translation>挂起</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::LaneView</name>
    <message>
        <source>Verdict of the set</source>
        <translation>整组判定</translation>
    </message>
    <message>
        <source>Checkpoints per rank</source>
        <translation>各 rank 的 checkpoint</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::LegendDialog</name>
    <message>
        <source>all ranks can load it</source>
        <translation>所有 rank 都能加载</translation>
    </message>
    <message>
        <source>no problem found, but not everything is proven</source>
        <translation>没有反证，但未全部证实</translation>
    </message>
    <message>
        <source>being saved</source>
        <translation>保存中</translation>
    </message>
    <message>
        <source>a file is missing or short</source>
        <translation>有文件缺失或不完整</translation>
    </message>
    <message>
        <source>the ranks disagree</source>
        <translation>各 rank 不一致</translation>
    </message>
    <message>
        <source>a file is damaged or contains NaN</source>
        <translation>有文件损坏或含 NaN</translation>
    </message>
    <message>
        <source>not enough is known to judge it</source>
        <translation>所见不足以判定</translation>
    </message>
    <message>
        <source>complete, in the newest VALID set</source>
        <translation>完整，属于最新的有效整组</translation>
    </message>
    <message>
        <source>complete</source>
        <translation>完整</translation>
    </message>
    <message>
        <source>complete as a copy of another rank</source>
        <translation>完整，是另一 rank 的副本</translation>
    </message>
    <message>
        <source>present, not read yet</source>
        <translation>存在，尚未检查</translation>
    </message>
    <message>
        <source>being written</source>
        <translation>写入中</translation>
    </message>
    <message>
        <source>no file</source>
        <translation>没有文件</translation>
    </message>
    <message>
        <source>short, or half written by a dead process</source>
        <translation>不完整，或由已死进程写到一半</translation>
    </message>
    <message>
        <source>a different step or shape from the others</source>
        <translation>步数或形状与其他 rank 不同</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>已损坏</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>removed by the run&apos;s own rotation</source>
        <translation>被训练自身的轮换删除</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>died</source>
        <translation>已死亡</translation>
    </message>
    <message>
        <source>exited as asked</source>
        <translation>已按请求退出</translation>
    </message>
    <message>
        <source>its loss is NaN or infinite</source>
        <translation>其 loss 为 NaN 或无穷</translation>
    </message>
    <message>
        <source>Mouse on the deck</source>
        <translation>主图上的鼠标</translation>
    </message>
    <message>
        <source>rest</source>
        <translation>停留</translation>
    </message>
    <message>
        <source>reads the values there</source>
        <translation>读出该处的值</translation>
    </message>
    <message>
        <source>click on a curve</source>
        <translation>点击曲线</translation>
    </message>
    <message>
        <source>opens the log line of that sample</source>
        <translation>打开该采样的日志行</translation>
    </message>
    <message>
        <source>click on a column</source>
        <translation>点击一列</translation>
    </message>
    <message>
        <source>selects the set</source>
        <translation>选中整组</translation>
    </message>
    <message>
        <source>double-click on a cell</source>
        <translation>双击单元格</translation>
    </message>
    <message>
        <source>inspects the checkpoint</source>
        <translation>查看该 checkpoint</translation>
    </message>
    <message>
        <source>click on a lane&apos;s head</source>
        <translation>点击泳道头</translation>
    </message>
    <message>
        <source>pins the line of the rank</source>
        <translation>固定该 rank 的曲线</translation>
    </message>
    <message>
        <source>drag</source>
        <translation>拖动</translation>
    </message>
    <message>
        <source>moves along the steps</source>
        <translation>沿步数移动</translation>
    </message>
    <message>
        <source>Shift and drag</source>
        <translation>按住 Shift 拖动</translation>
    </message>
    <message>
        <source>zooms to the range</source>
        <translation>缩放到所选范围</translation>
    </message>
    <message>
        <source>wheel</source>
        <translation>滚轮</translation>
    </message>
    <message>
        <source>zooms at the cursor; scrolls the lanes</source>
        <translation>在光标处缩放；滚动泳道</translation>
    </message>
    <message>
        <source>double-click on the loss</source>
        <translation>双击 loss 图</translation>
    </message>
    <message>
        <source>Signs and gestures</source>
        <translation>图例与手势</translation>
    </message>
    <message>
        <source>Verdict of a set</source>
        <translation>整组判定</translation>
    </message>
    <message>
        <source>Checkpoint of one rank</source>
        <translation>单个 rank 的 checkpoint</translation>
    </message>
    <message>
        <source>A bar below is a graceful exit (G), a broken bar a breakpoint (B), a bar above TTP (T).</source>
        <translation>下方横条为优雅退出 (G)，下方断开的横条为临终 CKPT (B)，上方横条为 TTP (T)。</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Left, Right; Up, Down</source>
        <translation>左、右；上、下</translation>
    </message>
    <message>
        <source>previous and next set; rank</source>
        <translation>整组；rank</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>V</source>
        <translation>V</translation>
    </message>
    <message>
        <source>the newest VALID set</source>
        <translation>最新的有效整组</translation>
    </message>
    <message>
        <source>N, Shift+N</source>
        <translation>N、Shift+N</translation>
    </message>
    <message>
        <source>the next problem, the previous one</source>
        <translation>下一个问题，上一个问题</translation>
    </message>
    <message>
        <source>K</source>
        <translation>K</translation>
    </message>
    <message>
        <source>protects the set from rotation</source>
        <translation>保留整组，使轮转不会删除它</translation>
    </message>
    <message>
        <source>M</source>
        <translation>M</translation>
    </message>
    <message>
        <source>the first failure</source>
        <translation>首次故障</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>空格</translation>
    </message>
    <message>
        <source>F; 0</source>
        <translation>F；0</translation>
    </message>
    <message>
        <source>follows the newest step; shows the whole job</source>
        <translation>跟随最新 step；显示整个任务</translation>
    </message>
    <message>
        <source>L; S</source>
        <translation>L；S</translation>
    </message>
    <message>
        <source>log scale; smoothing</source>
        <translation>对数刻度；平滑</translation>
    </message>
    <message>
        <source>right button</source>
        <translation>右键</translation>
    </message>
    <message>
        <source>actions of a set, a rank or the loss; copies its text</source>
        <translation>整组、rank 或 loss 的操作；复制其文字</translation>
    </message>
    <message>
        <source>bar below</source>
        <translation>下方的条</translation>
    </message>
    <message>
        <source>a click moves the view there, a drag moves the view, a drag at its edge changes its width</source>
        <translation>单击使该时刻居中，拖动移动窗口，拖动边缘改变宽度</translation>
    </message>
    <message>
        <source>zooms in on a set, or back after a move or zoom; 0 shows the whole job</source>
        <translation>放大到一个整组；移动或缩放之后：返回；0 显示整个任务</translation>
    </message>
    <message>
        <source>Keys of the deck</source>
        <translation>时间轴上的按键</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::LogModel</name>
    <message>
        <source> … and %1 more</source>
        <translation> … 另有 %1</translation>
    </message>
    <message>
        <source>Byte</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>行</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::LogPanel</name>
    <message>
        <source>Log lines</source>
        <translation>日志行</translation>
    </message>
    <message>
        <source>Follow the end</source>
        <translation>跟随末尾</translation>
    </message>
    <message>
        <source>Log of rank</source>
        <translation>rank 的日志</translation>
    </message>
    <message>
        <source>Find in the log</source>
        <translation>在日志中查找</translation>
    </message>
    <message>
        <source>Find (Ctrl+F)</source>
        <translation>查找 (Ctrl+F)</translation>
    </message>
    <message>
        <source>Rank %1, %2</source>
        <translation>Rank %1，%2</translation>
    </message>
    <message>
        <source>Cannot read: %1</source>
        <translation>无法读取：%1</translation>
    </message>
    <message>
        <source>The log has started over.</source>
        <translation>日志重新开始。</translation>
    </message>
    <message>
        <source>following, %1</source>
        <translation>跟随中，%1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1/%2</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not in the %2 lines read</source>
        <translation>已读的 %2 行中没有 &quot;%1&quot;</translation>
    </message>
    <message>
        <source>Exact log line unknown. Showing the nearest one.</source>
        <translation>无法确定该采样的那一行；就在附近。</translation>
    </message>
    <message>
        <source>No ranks yet, so there is no log to show.</source>
        <translation>尚不知道任何 rank，因此没有日志可显示。</translation>
    </message>
    <message>
        <source>The log of rank %1 has no lines yet.</source>
        <translation>rank %1 的日志还没有内容。</translation>
    </message>
    <message>
        <source>The log of rank %1 is being read.</source>
        <translation>正在读取 rank %1 的日志。</translation>
    </message>
    <message>
        <source>The log of rank %1 cannot be shown: %2</source>
        <translation>无法显示 rank %1 的日志：%2</translation>
    </message>
    <message>
        <source>How it is read…</source>
        <translation>读取方式…</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::LogReadingDialog</name>
    <message>
        <source>loss</source>
        <translation>loss</translation>
    </message>
    <message>
        <source>step</source>
        <translation>step</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>epoch</translation>
    </message>
    <message>
        <source>total steps</source>
        <translation>总 step 数</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>loss scale</source>
        <translation>loss scale</translation>
    </message>
    <message>
        <source>step time</source>
        <translation>step 耗时</translation>
    </message>
    <message>
        <source>throughput</source>
        <translation>吞吐量</translation>
    </message>
    <message>
        <source>Reading the log…</source>
        <translation>正在读取日志…</translation>
    </message>
    <message>
        <source>How the log of rank %1 is read</source>
        <translation>rank %1 的日志如何被读取</translation>
    </message>
    <message>
        <source>Kinds of lines</source>
        <translation>行的种类</translation>
    </message>
    <message>
        <source>To change a role, set logs.fields in the job file: role → label. A label that is set there has only that role.</source>
        <translation>要更改角色，请在作业文件中设置 logs.fields：角色 → 标签。在那里给出的标签只有该角色。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Cannot read the log: %1</source>
        <translation>无法读取日志：%1</translation>
    </message>
    <message>
        <source>%1 % of %2 lines are read</source>
        <translation>%2 行中读取了 %1 %</translation>
    </message>
    <message>
        <source>%1 % of %2 lines in the newest %3 of the log are read</source>
        <translation>日志最新 %3 的 %2 行中读取了 %1 %</translation>
    </message>
    <message>
        <source>Some lines that are not read have a number that looks like a loss.</source>
        <translation>有些未读取的行含有看起来像 loss 的数字。</translation>
    </message>
    <message>
        <source>No loss was found. Progress follows the steps.</source>
        <translation>未找到 loss。进度按 step 计算。</translation>
    </message>
    <message>
        <source>Neither a loss nor a step was found.</source>
        <translation>既未找到 loss 也未找到 step。</translation>
    </message>
    <message>
        <source>Not read:</source>
        <translation>未读取：</translation>
    </message>
    <message>
        <source>%1 ×  %2</source>
        <translation>%1 ×  %2</translation>
    </message>
    <message>
        <source>%1 ×  </source>
        <translation>%1 ×  </translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::LossPlot</name>
    <message>
        <source>Loss over steps</source>
        <translation>按 step 的 loss</translation>
    </message>
    <message>
        <source>median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>discarded</source>
        <translation>作废</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>discarded by a resume</source>
        <translation>续训后作废</translation>
    </message>
    <message>
        <source>NaN or Inf</source>
        <translation>NaN 或 Inf</translation>
    </message>
    <message>
        <source>NaN or Inf: none in view</source>
        <translation>NaN 或 Inf：视图内无</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>log  on</source>
        <translation>对数 开</translation>
    </message>
    <message>
        <source>log  off</source>
        <translation>对数 关</translation>
    </message>
    <message>
        <source>smooth  %1</source>
        <translation>平滑 %1</translation>
    </message>
    <message>
        <source>smooth  off</source>
        <translation>平滑 关</translation>
    </message>
    <message numerus="yes">
        <source>median of %n ranks</source>
        <translation>
            <numerusform>%n 个 rank 的中位数</numerusform>
        </translation>
    </message>
    <message>
        <source>middle 80 % of ranks</source>
        <translation>中间 80 % 的 rank</translation>
    </message>
    <message>
        <source>min to max, all ranks</source>
        <translation>所有 rank 最小到最大</translation>
    </message>
    <message>
        <source>min to max over ranks</source>
        <translation>各 rank 最小到最大</translation>
    </message>
    <message>
        <source>Outliers, farthest first</source>
        <translation>离群 rank，最远者在前</translation>
    </message>
    <message>
        <source>MAD</source>
        <translation>MAD</translation>
    </message>
    <message numerus="yes">
        <source>%n ranks within 4 MAD</source>
        <translation>
            <numerusform>%n 个 rank 在 4 MAD 以内</numerusform>
        </translation>
    </message>
    <message>
        <source>selected</source>
        <translation>已选</translation>
    </message>
    <message>
        <source>outlier</source>
        <translation>离群</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>已固定</translation>
    </message>
    <message>
        <source>rank %1 (%2)</source>
        <translation>rank %1(%2)</translation>
    </message>
    <message>
        <source>NaN, rank %1 first</source>
        <translation>NaN,rank %1 最先</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>%1 steps would be lost</source>
        <translation>将损失 %1 步</translation>
    </message>
    <message>
        <source>%1 over steps</source>
        <translation>各 step 的%1</translation>
    </message>
    <message>
        <source>%1 steps are lost</source>
        <translation>已损失 %1 步</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::MainWindow</name>
    <message>
        <source>Open a job file</source>
        <translation>打开作业文件</translation>
    </message>
    <message>
        <source>Job files (*.rankdeck.json *.json)</source>
        <translation>作业文件 (*.rankdeck.json *.json)</translation>
    </message>
    <message>
        <source>Cannot open %1.</source>
        <translation>未打开 %1。</translation>
    </message>
    <message>
        <source>Cannot open the history of %1.</source>
        <translation>未打开 %1 的历史。</translation>
    </message>
    <message>
        <source>The demo cluster did not start.</source>
        <translation>演示集群未能启动。</translation>
    </message>
    <message>
        <source>Rankdeck</source>
        <translation>Rankdeck</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>暂无</translation>
    </message>
    <message>
        <source>%1, last seen %2</source>
        <translation>%1，最后见于 %2</translation>
    </message>
    <message>
        <source>No history yet</source>
        <translation>尚无历史</translation>
    </message>
    <message>
        <source>%1 local  ·  %2 UTC</source>
        <translation>%1 本地  ·  %2 UTC</translation>
    </message>
    <message>
        <source>Nothing is written on any node</source>
        <translation>未在任何节点写入</translation>
    </message>
    <message>
        <source>&lt;h3&gt;The deck&lt;/h3&gt;&lt;p&gt;Everything shares one axis, the training steps. The loss is above it, the verdict of each checkpoint set is on it, and each rank has a lane below it. The vertical line is the newest set that every rank can load. The hatched area to its right is the work that would be lost.&lt;/p&gt;&lt;h3&gt;Stop gracefully&lt;/h3&gt;&lt;p&gt;One click asks the run to save and exit at its next step. You can cancel until a rank has read the request. The run counts as stopped only when every process has ended and every save is proven.&lt;/p&gt;&lt;h3&gt;Resume&lt;/h3&gt;&lt;p&gt;Choose a column, read the plan, run it. Rankdeck does exactly what the plan shows. Afterwards the log of each rank proves from which step it continued.&lt;/p&gt;</source>
        <translation>&lt;h3&gt;总览&lt;/h3&gt;&lt;p&gt;一条 step 轴：上方是 loss，轴上是每个整组 checkpoint 的判定，下方每个 rank 一条泳道。贯穿的竖线是所有 rank 都能加载的最新整组；其右侧的斜线区是将损失的工作。&lt;/p&gt;&lt;h3&gt;优雅退出&lt;/h3&gt;&lt;p&gt;点击一次，请训练保存并在下一步退出。在有 rank 读取请求之前可以取消。只有所有进程都已退出且每份保存都被证实，才称为已停止。&lt;/p&gt;&lt;h3&gt;断点续训&lt;/h3&gt;&lt;p&gt;选择一列，阅读计划，执行。所示即所执行。之后由每个 rank 的日志证实它从哪里继续。&lt;/p&gt;</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>A stop is under way</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>Closing cancels the stop request. Ranks that have already read it may still stop.</source>
        <translation>关闭会撤回请求；已经读到请求的 rank 仍可能停止。</translation>
    </message>
    <message>
        <source>Stay</source>
        <translation>留下</translation>
    </message>
    <message>
        <source>Cancel it and close</source>
        <translation>撤回并关闭</translation>
    </message>
    <message>
        <source>A stop is under way. Open another job when it has ended.</source>
        <translation>正在停止：期间不打开其他内容。</translation>
    </message>
    <message>
        <source>Rankdeck crashed last time.</source>
        <translation>Rankdeck 上次因崩溃而结束。</translation>
    </message>
    <message>
        <source>History and journal are complete up to that point. Jobs keep running without Rankdeck. Crash report: %1</source>
        <translation>历史和操作记录在已写入的范围内完整；作业不受影响。报告：%1</translation>
    </message>
    <message>
        <source>Edit a job file</source>
        <translation>编辑作业文件</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::Marks</name>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::Notices</name>
    <message>
        <source>Resume from %1…</source>
        <translation>自 %1 续训…</translation>
    </message>
    <message>
        <source>Choose a set…</source>
        <translation>选择整组…</translation>
    </message>
    <message>
        <source>, %1, %2.</source>
        <translation>，%1，%2。</translation>
    </message>
    <message>
        <source>Show the failure</source>
        <translation>显示故障</translation>
    </message>
    <message>
        <source>Stop gracefully</source>
        <translation>优雅退出</translation>
    </message>
    <message>
        <source>Show its log</source>
        <translation>显示其日志</translation>
    </message>
    <message>
        <source>Show the stop</source>
        <translation>显示退出</translation>
    </message>
    <message>
        <source>Show the sets</source>
        <translation>显示整组</translation>
    </message>
    <message>
        <source>Answer…</source>
        <translation>回答…</translation>
    </message>
    <message>
        <source>Retry now</source>
        <translation>立即重试</translation>
    </message>
    <message>
        <source>Connect again</source>
        <translation>重新连接</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>再试</translation>
    </message>
    <message>
        <source>Set to 0</source>
        <translation>置 0</translation>
    </message>
    <message>
        <source>Show the events</source>
        <translation>显示事件</translation>
    </message>
    <message numerus="yes">
        <source>And %n more.</source>
        <translation>
            <numerusform>另有 %n 条。</numerusform>
        </translation>
    </message>
    <message>
        <source>Keep %1</source>
        <translation>保留 %1</translation>
    </message>
    <message>
        <source>The set is being kept.</source>
        <translation>正在保留该整组。</translation>
    </message>
    <message>
        <source>The set is now protected beside the checkpoints.</source>
        <translation>该整组已保留在 checkpoint 目录旁。</translation>
    </message>
    <message>
        <source>Not kept: %1</source>
        <translation>未能保留：%1</translation>
    </message>
    <message>
        <source>Set %1 is being kept</source>
        <translation>正在保留整组 %1</translation>
    </message>
    <message>
        <source>Set %1 is kept</source>
        <translation>整组 %1 已保留</translation>
    </message>
    <message>
        <source>Set %1 is not kept</source>
        <translation>整组 %1 未能保留</translation>
    </message>
    <message>
        <source>Rotation does not reach it beside the checkpoints.</source>
        <translation>它已放在 checkpoint 旁边，轮转不会触及它。</translation>
    </message>
    <message>
        <source>Show stack traces</source>
        <translation>显示调用栈</translation>
    </message>
    <message>
        <source>Remove it</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Put %1 back and resume from it…</source>
        <translation>放回 %1 并从它续训…</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::Pane</name>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::Panels</name>
    <message>
        <source>&amp;Events</source>
        <translation>事件(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Failure</source>
        <translation>故障(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Logs</source>
        <translation>日志(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Journal</source>
        <translation>操作记录(&amp;J)</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::PastJob</name>
    <message>
        <source>The job file names no log.</source>
        <translation>作业文件没有指明日志。</translation>
    </message>
    <message>
        <source>None of the %1 logs could be read: %2.</source>
        <translation>%1 个日志都无法读取：%2。</translation>
    </message>
    <message>
        <source>Logs: %1, last written %2, at step %3.</source>
        <translation>日志：%1，最后写入 %2，step %3。</translation>
    </message>
    <message>
        <source>Logs: %1, last written %2.</source>
        <translation>日志：%1，最后写入 %2。</translation>
    </message>
    <message>
        <source>Newest VALID set: %1.</source>
        <translation>最新有效整组：%1。</translation>
    </message>
    <message>
        <source>No set is VALID.</source>
        <translation>没有有效整组。</translation>
    </message>
    <message>
        <source>Checkpoints are unknown: %1.</source>
        <translation>checkpoint 未知：%1。</translation>
    </message>
    <message>
        <source>Reading its files.</source>
        <translation>正在查看其文件。</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::PlanView</name>
    <message>
        <source>Nodes of the plan</source>
        <translation>计划的节点</translation>
    </message>
    <message>
        <source>Plan of this node</source>
        <translation>该节点的计划</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::Plans</name>
    <message>
        <source>back up</source>
        <translation>备份</translation>
    </message>
    <message>
        <source>make directories</source>
        <translation>建目录</translation>
    </message>
    <message>
        <source>terminate, with SIGKILL after ten seconds</source>
        <translation>结束进程，十秒后仍在则 SIGKILL</translation>
    </message>
    <message>
        <source>copy from another node</source>
        <translation>从另一节点复制</translation>
    </message>
    <message>
        <source>write links</source>
        <translation>写链接</translation>
    </message>
    <message>
        <source>remove</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>remove empty directories</source>
        <translation>删除空目录</translation>
    </message>
    <message numerus="yes">
        <source>  … %n more, all shown with Ctrl+D</source>
        <translation>
            <numerusform>  … 另有 %n 项，Ctrl+D 全部显示</numerusform>
        </translation>
    </message>
    <message>
        <source>edit %1</source>
        <translation>编辑 %1</translation>
    </message>
    <message>
        <source>run in %1, detached, output in %2</source>
        <translation>在 %1 中后台运行，输出到 %2</translation>
    </message>
    <message>
        <source>no actions on this node</source>
        <translation>该节点无操作</translation>
    </message>
    <message>
        <source>make hard links, which take no disk space</source>
        <translation>建立不占磁盘的硬链接</translation>
    </message>
    <message>
        <source>copy files</source>
        <translation>复制文件</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::Preferences</name>
    <message>
        <source>Expected the name or the path of ssh; found nothing.</source>
        <translation>应为 ssh 的名称或路径；实为空。</translation>
    </message>
    <message>
        <source>Expected a name, or a path that begins with /; found %1.</source>
        <translation>应为名称，或以 / 开头的路径；实为 %1。</translation>
    </message>
    <message>
        <source>%1 is not a file. Enter the path of ssh.</source>
        <translation>%1 不是文件。请给出 ssh 的路径。</translation>
    </message>
    <message>
        <source>You may not run %1. Enter the path of ssh.</source>
        <translation>您无权执行 %1。请给出 ssh 的路径。</translation>
    </message>
    <message>
        <source>There is no %1 in the PATH. Enter its full path.</source>
        <translation>PATH 中没有 %1。请给出完整路径。</translation>
    </message>
    <message>
        <source>Expected a path that begins with /; found %1.</source>
        <translation>应为以 / 开头的路径；实为 %1。</translation>
    </message>
    <message>
        <source>%1 is a file. Expected a directory.</source>
        <translation>%1 是文件。应为目录。</translation>
    </message>
    <message>
        <source>%1 belongs to %2. Expected a directory of your own.</source>
        <translation>%1 属于 %2。应为您自己的目录。</translation>
    </message>
    <message>
        <source>You may not write to %1.</source>
        <translation>您无权写入 %1。</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::ProofModel</name>
    <message>
        <source>joins</source>
        <translation>衔接</translation>
    </message>
    <message>
        <source>does not continue the curve</source>
        <translation>不衔接</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>Loaded step</source>
        <translation>加载 step</translation>
    </message>
    <message>
        <source>First step</source>
        <translation>首个 step</translation>
    </message>
    <message>
        <source>First loss</source>
        <translation>首个 loss</translation>
    </message>
    <message>
        <source>Old loss</source>
        <translation>原 loss</translation>
    </message>
    <message>
        <source>Joins</source>
        <translation>衔接</translation>
    </message>
    <message>
        <source>not settled yet</source>
        <translation>尚未稳定</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::ProofPane</name>
    <message>
        <source>Proof per rank</source>
        <translation>各 rank 的证实</translation>
    </message>
    <message>
        <source>Stop gracefully</source>
        <translation>优雅退出</translation>
    </message>
    <message>
        <source>Show its log</source>
        <translation>显示其日志</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Evidence in each rank&apos;s log</source>
        <translation>各 rank 自己的日志所言</translation>
    </message>
    <message>
        <source>Loss at the seam</source>
        <translation>接缝处的 loss</translation>
    </message>
    <message>
        <source>Time to recover</source>
        <translation>恢复用时</translation>
    </message>
    <message>
        <source>No resume yet</source>
        <translation>尚无续训</translation>
    </message>
    <message>
        <source>since %1</source>
        <translation>自 %1</translation>
    </message>
    <message>
        <source>Proven: %1 continues from %2</source>
        <translation>已证实：%1自 %2 继续</translation>
    </message>
    <message>
        <source>Ranks died since: %1 from %2</source>
        <translation>此后有 rank 异常退出：%1，自 %2 起</translation>
    </message>
    <message>
        <source>Resume refused</source>
        <translation>续训被拒绝</translation>
    </message>
    <message>
        <source>Not proven: %1 ranks continue</source>
        <translation>未证实：%1 rank 继续</translation>
    </message>
    <message>
        <source>Launched, not proven yet</source>
        <translation>已启动，尚未证实</translation>
    </message>
    <message>
        <source>Resume failed</source>
        <translation>续训失败</translation>
    </message>
    <message>
        <source>Proving: %1 ranks continue from %2</source>
        <translation>证实中：%1 rank 自 %2 继续</translation>
    </message>
    <message>
        <source>Launching from %1</source>
        <translation>自 %1 启动</translation>
    </message>
    <message>
        <source>Preparing %1</source>
        <translation>准备 %1</translation>
    </message>
    <message>
        <source>Checking %1</source>
        <translation>检查 %1</translation>
    </message>
    <message>
        <source>first losses within %1 of the old curve</source>
        <translation>首个 loss 与原曲线相差不超过 %1</translation>
    </message>
    <message>
        <source>From the failure to the decision %1.</source>
        <translation>从故障到决定 %1。</translation>
    </message>
    <message>
        <source>From the decision to the first step of every rank %1.</source>
        <translation>从决定到各 rank 首个 step %1。</translation>
    </message>
    <message>
        <source>Waiting for the first step of every rank.</source>
        <translation>等待各 rank 的首个 step。</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>ranks %1</source>
        <translation>rank %1</translation>
    </message>
    <message numerus="yes">
        <source>And %n more reason(s) in the table.</source>
        <translation>
            <numerusform>表中还有 %n 个原因。</numerusform>
        </translation>
    </message>
    <message>
        <source>No rank has shown a step.</source>
        <translation>没有 rank 出现过 step。</translation>
    </message>
    <message>
        <source>Waiting for the first step of %1.</source>
        <translation>等待 %1 的第一步。</translation>
    </message>
    <message>
        <source>%1 showed no step.</source>
        <translation>没有看到 %1 的 step。</translation>
    </message>
    <message>
        <source>Every rank has taken its first step, at an unknown time.</source>
        <translation>每个 rank 都已走完第一步；时间未知。</translation>
    </message>
    <message>
        <source>Rank %1: %2</source>
        <translation>Rank %1：%2</translation>
    </message>
    <message>
        <source>Ranks %1: %2</source>
        <translation>Rank %1：%2</translation>
    </message>
    <message>
        <source>first losses differ by up to %1 from the old curve</source>
        <translation>最初的 loss 与原曲线相差达 %1</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::RankExitModel</name>
    <message>
        <source>seen</source>
        <translation>已见</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>code %1</source>
        <translation>码 %1</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>Armed</source>
        <translation>已置位</translation>
    </message>
    <message>
        <source>Confirmed</source>
        <translation>已确认</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>Exited</source>
        <translation>已退出</translation>
    </message>
    <message>
        <source>never</source>
        <translation>不会</translation>
    </message>
    <message>
        <source>died</source>
        <translation>异常终止</translation>
    </message>
    <message>
        <source>no contact</source>
        <translation>无消息</translation>
    </message>
    <message>
        <source>hangs</source>
        <translation>挂起</translation>
    </message>
    <message>
        <source>seen, not checked</source>
        <translation>已见，未判定</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::RecentJobs</name>
    <message>
        <source>None yet. A job file describes the nodes, ranks and paths once. Then the job opens with one click.</source>
        <translation>暂无。作业文件一次写明节点、rank 与路径，之后一键打开。</translation>
    </message>
    <message>
        <source>Watch this job</source>
        <translation>观察此作业</translation>
    </message>
    <message>
        <source>Watch %1</source>
        <translation>观察 %1</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::Reports</name>
    <message>
        <source>Incident report</source>
        <translation>事故报告</translation>
    </message>
    <message>
        <source>HTML (*.html);;Markdown (*.md)</source>
        <translation>HTML (*.html);;Markdown (*.md)</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::ResumePane</name>
    <message>
        <source>Set to 0</source>
        <translation>置 0</translation>
    </message>
    <message>
        <source>Back up</source>
        <translation>备份</translation>
    </message>
    <message>
        <source>Fix in the plan</source>
        <translation>在计划中处理</translation>
    </message>
    <message>
        <source>Checkpoint sets</source>
        <translation>checkpoint 整组</translation>
    </message>
    <message>
        <source>Copy as script</source>
        <translation>复制为脚本</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>重新检查</translation>
    </message>
    <message>
        <source>1  Set</source>
        <translation>1  整组</translation>
    </message>
    <message>
        <source>click a column, or use the arrow keys in the timeline</source>
        <translation>点击一列，或在时间轴上用方向键</translation>
    </message>
    <message>
        <source>2  Preflight</source>
        <translation>2  预检查</translation>
    </message>
    <message>
        <source>3  Plan</source>
        <translation>3  计划</translation>
    </message>
    <message>
        <source>exactly this runs and is kept in the journal</source>
        <translation>所示即所执行，并记入操作记录</translation>
    </message>
    <message>
        <source>Ctrl+Enter</source>
        <translation>Ctrl+Enter</translation>
    </message>
    <message numerus="yes">
        <source>%n check(s) passed</source>
        <translation>
            <numerusform>%n 项检查通过</numerusform>
        </translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>隐藏</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>no set is chosen</source>
        <translation>未选整组</translation>
    </message>
    <message>
        <source>a resume is under way</source>
        <translation>续训进行中</translation>
    </message>
    <message>
        <source>a stop is under way</source>
        <translation>退出进行中</translation>
    </message>
    <message>
        <source>not proven</source>
        <translation>未证实</translation>
    </message>
    <message>
        <source>%1 cannot be resumed</source>
        <translation>%1不能续训</translation>
    </message>
    <message>
        <source>being checked</source>
        <translation>检查中</translation>
    </message>
    <message>
        <source>no plan</source>
        <translation>无计划</translation>
    </message>
    <message numerus="yes">
        <source>%n refusal(s) left</source>
        <translation>
            <numerusform>尚有 %n 项拒绝</numerusform>
        </translation>
    </message>
    <message>
        <source>Resume %1 from step %2</source>
        <translation>%1 自 step %2 断点续训</translation>
    </message>
    <message>
        <source>Resume %1</source>
        <translation>断点续训 %1</translation>
    </message>
    <message>
        <source>plan made %1</source>
        <translation>计划于 %1生成</translation>
    </message>
    <message>
        <source>No plan.</source>
        <translation>无计划。</translation>
    </message>
    <message>
        <source>%1 is %2.</source>
        <translation>%1 为%2。</translation>
    </message>
    <message numerus="yes">
        <source>being checked on %n node(s)</source>
        <translation>
            <numerusform>正在 %n 个节点检查</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>checked %1 on %n node(s)</source>
        <translation>
            <numerusform>%1于 %n 个节点检查</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Resume %n rank(s) from %1</source>
        <translation>
            <numerusform>%n 个 rank 自 %1 续训</numerusform>
        </translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>断点续训</translation>
    </message>
    <message>
        <source>copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>End them first</source>
        <translation>先结束它们</translation>
    </message>
    <message>
        <source>End it first</source>
        <translation>先结束它</translation>
    </message>
    <message>
        <source>End that process</source>
        <translation>结束占用者</translation>
    </message>
    <message>
        <source>Copy it there</source>
        <translation>复制过去</translation>
    </message>
    <message>
        <source>Use that set</source>
        <translation>改用那一组</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Whole plan</source>
        <translation>完整计划</translation>
    </message>
    <message>
        <source>Ctrl+D</source>
        <translation>Ctrl+D</translation>
    </message>
    <message>
        <source>The plan is being made.</source>
        <translation>正在制定计划。</translation>
    </message>
    <message>
        <source>No plan: %1.</source>
        <translation>没有计划：%1。</translation>
    </message>
    <message>
        <source>the chosen set is gone</source>
        <translation>所选整组已不存在</translation>
    </message>
    <message>
        <source>The chosen set is gone.</source>
        <translation>所选整组已不存在。</translation>
    </message>
    <message>
        <source>It is not listed any more. Choose another set.</source>
        <translation>它已不在列表中；请另选一个。</translation>
    </message>
    <message>
        <source>Put it back first</source>
        <translation>先放回</translation>
    </message>
    <message>
        <source>Stop &amp;keeping it…</source>
        <translation>不再保留(&amp;N)…</translation>
    </message>
    <message>
        <source>Stop keeping %1</source>
        <translation>不再保留 %1</translation>
    </message>
    <message>
        <source>There is no other copy: afterwards you cannot resume from it.</source>
        <translation>别处没有该整组：之后无法再从它续训。</translation>
    </message>
    <message>
        <source>It stays among the checkpoints until rotation takes it.</source>
        <translation>它仍在 checkpoint 目录中，直到被轮换删除。</translation>
    </message>
    <message>
        <source>Leave it</source>
        <translation>保持不变</translation>
    </message>
    <message>
        <source>Stop keeping it</source>
        <translation>不再保留</translation>
    </message>
    <message>
        <source>being put back</source>
        <translation>正在放回</translation>
    </message>
    <message>
        <source>being judged</source>
        <translation>正在判定</translation>
    </message>
    <message>
        <source>not whole</source>
        <translation>不完整</translation>
    </message>
    <message>
        <source>ranks are running: stop first</source>
        <translation>rank 仍在运行：请先停止</translation>
    </message>
    <message>
        <source>%1 is kept, but not complete.</source>
        <translation>%1 已保留，但不完整。</translation>
    </message>
    <message>
        <source>%1 is back among the checkpoints.</source>
        <translation>%1 已放回 checkpoint 目录。</translation>
    </message>
    <message>
        <source>It is %1: %2</source>
        <translation>判定为 %1：%2</translation>
    </message>
    <message>
        <source>It is being checked.</source>
        <translation>正在判定。</translation>
    </message>
    <message>
        <source>%1 is kept beside the checkpoints.</source>
        <translation>%1 保留在 checkpoint 目录旁。</translation>
    </message>
    <message>
        <source>First it is put back, as links that take no disk space. Then it is checked, and the resume is planned.</source>
        <translation>先以不占磁盘的硬链接放回；随后判定，再制定续训计划。</translation>
    </message>
    <message>
        <source>Put %1 back</source>
        <translation>放回 %1</translation>
    </message>
    <message>
        <source>not checked: %1</source>
        <translation>未检查：%1</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::SeamPlot</name>
    <message>
        <source>Loss at the seam</source>
        <translation>接缝处的 loss</translation>
    </message>
    <message>
        <source>%1 to the seam at step %2, then %3</source>
        <translation>%1 到接缝 step %2，之后 %3</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::SeenJobWords</name>
    <message>
        <source>%1 ranks had died %2</source>
        <translation>%2 %1 个 rank 已死亡</translation>
    </message>
    <message>
        <source>%1 ranks ran %2</source>
        <translation>%2 %1 个 rank 在运行</translation>
    </message>
    <message>
        <source>not running %1</source>
        <translation>%1 未在运行</translation>
    </message>
    <message>
        <source>, at step %1</source>
        <translation>，step %1</translation>
    </message>
    <message>
        <source>; newest VALID %1</source>
        <translation>；最新有效 %1</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::SetsModel</name>
    <message>
        <source>cannot be resumed</source>
        <translation>不能续训</translation>
    </message>
    <message>
        <source>0 steps</source>
        <translation>0 步</translation>
    </message>
    <message>
        <source>%1 steps, %2</source>
        <translation>%1 步，%2</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>整组</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>判定</translation>
    </message>
    <message>
        <source>Lost</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 步</translation>
    </message>
    <message>
        <source>kept; %1</source>
        <translation>已保留；%1</translation>
    </message>
    <message>
        <source>put it back first</source>
        <translation>须先放回</translation>
    </message>
    <message>
        <source>saved %1</source>
        <translation>保存于 %1</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>已保留</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::SettingsDialog</name>
    <message>
        <source>Same as the desktop</source>
        <translation>跟随桌面</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>All settings apply at once and are kept for the next start.</source>
        <translation>全部立即生效，下次启动仍保留。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>L&amp;etters</source>
        <translation>字号(&amp;E)</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1%</translation>
    </message>
    <message>
        <source>Redraw &amp;less often: twice a second (for remote screens)</source>
        <translation>平缓绘制，每秒 2 次（适合远程屏幕）(&amp;C)</translation>
    </message>
    <message>
        <source>Time &amp;zone</source>
        <translation>时区(&amp;Z)</translation>
    </message>
    <message>
        <source>Of this machine</source>
        <translation>本机时区</translation>
    </message>
    <message>
        <source>&amp;Sizes</source>
        <translation>大小单位(&amp;S)</translation>
    </message>
    <message>
        <source>kB, MB, GB (by 1,000)</source>
        <translation>kB、MB、GB（按 1,000）</translation>
    </message>
    <message>
        <source>KiB, MiB, GiB (by 1,024)</source>
        <translation>KiB、MiB、GiB（按 1,024）</translation>
    </message>
    <message>
        <source>When an alarm begins</source>
        <translation>告警出现时</translation>
    </message>
    <message>
        <source>Show a desktop &amp;notification</source>
        <translation>显示桌面通知(&amp;N)</translation>
    </message>
    <message>
        <source>Mark the window in the task &amp;bar</source>
        <translation>在任务栏中标记窗口(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Ring the bell</source>
        <translation>响铃(&amp;R)</translation>
    </message>
    <message>
        <source>ss&amp;h program</source>
        <translation>ssh 程序(&amp;H)</translation>
    </message>
    <message>
        <source>Reads the ssh config of a host. Used from the next connection on.</source>
        <translation>用来查询 ssh 配置中关于主机的内容；从下一次连接起生效。</translation>
    </message>
    <message>
        <source>State &amp;directory</source>
        <translation>状态目录(&amp;D)</translation>
    </message>
    <message>
        <source>Holds the history and the journal. Used for jobs that are opened from now on.</source>
        <translation>存放历史和操作记录；对此后打开的作业生效。</translation>
    </message>
    <message>
        <source>This start uses %1, as --state-dir says.</source>
        <translation>本次启动使用 %1（由 --state-dir 指定）。</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::StatusLine</name>
    <message>
        <source>armed on %1 nodes</source>
        <translation>%1 节点已置位</translation>
    </message>
    <message>
        <source>%1 nodes live</source>
        <translation>%1 节点在线</translation>
    </message>
    <message>
        <source>, %1 stale %2</source>
        <translation>，%1 失联 %2</translation>
    </message>
    <message>
        <source>, %1 lost</source>
        <translation>，%1 断开</translation>
    </message>
    <message>
        <source>, %1 ms</source>
        <translation>，%1 ms</translation>
    </message>
    <message>
        <source>Reading back: %1 %</source>
        <translation>回读：%1 %</translation>
    </message>
    <message>
        <source>Read from nodes: %1</source>
        <translation>自节点读取 %1</translation>
    </message>
    <message>
        <source>History saved %1</source>
        <translation>历史 %1已保存</translation>
    </message>
    <message>
        <source>No history yet</source>
        <translation>尚无历史</translation>
    </message>
    <message>
        <source>Offline: no node is contacted</source>
        <translation>离线：不询问任何节点</translation>
    </message>
    <message>
        <source>From the history</source>
        <translation>来自历史</translation>
    </message>
    <message>
        <source>Acknowledged alarms that are still active</source>
        <translation>已阅但仍然存在的告警</translation>
    </message>
    <message numerus="yes">
        <source>%n alarm(s) acknowledged…</source>
        <translation>
            <numerusform>%n 条告警已阅…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::StopPane</name>
    <message>
        <source>Ranks of the stop</source>
        <translation>退出的各 rank</translation>
    </message>
    <message>
        <source>Stop gracefully</source>
        <translation>优雅退出</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>If a rank does not answer</source>
        <translation>若某 rank 无响应</translation>
    </message>
    <message>
        <source>Stop gracefully anyway</source>
        <translation>仍然优雅退出</translation>
    </message>
    <message>
        <source>Resume from %1…</source>
        <translation>自 %1 续训…</translation>
    </message>
    <message>
        <source>Resume…</source>
        <translation>断点续训…</translation>
    </message>
    <message>
        <source>Only the listed processes.</source>
        <translation>仅列出的进程。</translation>
    </message>
    <message numerus="yes">
        <source>SIGTERM %n process(es)…</source>
        <translation>
            <numerusform>SIGTERM %n 个进程…</numerusform>
        </translation>
    </message>
    <message>
        <source>SIGKILL…</source>
        <translation>SIGKILL…</translation>
    </message>
    <message numerus="yes">
        <source>SIGKILL %n process(es)</source>
        <translation>
            <numerusform>SIGKILL %n 个进程</numerusform>
        </translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>ranks %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>End %1 and resume from %2…</source>
        <translation>结束 %1 并从 %2 断点续训…</translation>
    </message>
    <message>
        <source>End %1 and resume…</source>
        <translation>结束 %1 并断点续训…</translation>
    </message>
    <message numerus="yes">
        <source>%n ranks</source>
        <translation>
            <numerusform>%n 个 rank</numerusform>
        </translation>
    </message>
    <message>
        <source>SIGTERM…</source>
        <translation>SIGTERM…</translation>
    </message>
    <message>
        <source>Put %1 back and resume from it…</source>
        <translation>放回 %1 并从它续训…</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::Story</name>
    <message>
        <source>Preflight</source>
        <translation>预检查</translation>
    </message>
    <message>
        <source>is being checked</source>
        <translation>检查中</translation>
    </message>
    <message>
        <source>no objections</source>
        <translation>无异议</translation>
    </message>
    <message numerus="yes">
        <source>%1 checks refuse</source>
        <translation>
            <numerusform>%1 项检查拒绝</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 checks passed, %n warning(s)</source>
        <translation>
            <numerusform>%1 项通过，%n 个警告</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n check(s) passed</source>
        <translation>
            <numerusform>%n 项检查通过</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 files proven</source>
        <translation>%1 文件已证实</translation>
    </message>
    <message>
        <source>, %1 seen</source>
        <translation>，已见 %1</translation>
    </message>
    <message>
        <source>Armed</source>
        <translation>已置位</translation>
    </message>
    <message>
        <source>%1 nodes, flag re-read as 1</source>
        <translation>%1 节点，标志复读为 1</translation>
    </message>
    <message>
        <source>the flag is being written</source>
        <translation>正在写标志</translation>
    </message>
    <message>
        <source>Confirmed</source>
        <translation>已确认</translation>
    </message>
    <message>
        <source>%1; read at the next step</source>
        <translation>%1；下一步读取</translation>
    </message>
    <message>
        <source>%1 ranks logged the exit</source>
        <translation>%1 rank 已记录退出</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>Exited</source>
        <translation>已退出</translation>
    </message>
    <message>
        <source>%1 processes gone</source>
        <translation>%1 进程已退出</translation>
    </message>
    <message>
        <source>Flag</source>
        <translation>标志</translation>
    </message>
    <message>
        <source>0 again on %1 nodes</source>
        <translation>%1 节点已恢复 0</translation>
    </message>
    <message>
        <source>set back to 0 when all are gone</source>
        <translation>全部退出后恢复为 0</translation>
    </message>
    <message>
        <source>Stop refused</source>
        <translation>退出被拒绝</translation>
    </message>
    <message>
        <source>Stop gracefully</source>
        <translation>优雅退出</translation>
    </message>
    <message>
        <source>Stopped, nothing lost</source>
        <translation>已停止，无损失</translation>
    </message>
    <message>
        <source>Cancelled in time</source>
        <translation>已及时取消</translation>
    </message>
    <message>
        <source>Cancelled too late</source>
        <translation>取消太晚</translation>
    </message>
    <message>
        <source>Stop: %1</source>
        <translation>退出：%1</translation>
    </message>
    <message>
        <source>Checking before the stop</source>
        <translation>退出前检查</translation>
    </message>
    <message>
        <source>Armed: %1 confirmed</source>
        <translation>已置位：%1 确认</translation>
    </message>
    <message>
        <source>Proven.</source>
        <translation>已证实。</translation>
    </message>
    <message>
        <source>This run cannot stop gracefully.</source>
        <translation>该运行不能优雅退出。</translation>
    </message>
    <message>
        <source>Read before you stop.</source>
        <translation>退出前请阅读。</translation>
    </message>
    <message>
        <source>The flag is still 1.</source>
        <translation>标志仍为 1。</translation>
    </message>
    <message>
        <source>No stop is requested.</source>
        <translation>未对运行提出要求。</translation>
    </message>
    <message>
        <source>One click on Stop gracefully arms it.</source>
        <translation>点击“优雅退出”即置位。</translation>
    </message>
    <message>
        <source>Can be cancelled</source>
        <translation>可以取消，</translation>
    </message>
    <message>
        <source>until a rank reads the flag.</source>
        <translation>直到某 rank 读取标志。</translation>
    </message>
    <message>
        <source>until a rank reads the flag, within one step (step time %1).</source>
        <translation>直到某 rank 读取标志，一步之内（单步 %1）。</translation>
    </message>
    <message>
        <source>Rank %1 has already read the flag (%2).</source>
        <translation>rank %1 已读取标志（%2）。</translation>
    </message>
    <message>
        <source>A rank has already read the flag.</source>
        <translation>已有 rank 读取标志。</translation>
    </message>
    <message>
        <source>Too late to cancel.</source>
        <translation>来不及取消。</translation>
    </message>
    <message>
        <source>Setting it back to 0 would not stop the ranks from leaving.</source>
        <translation>恢复为 0 也不能召回各 rank。</translation>
    </message>
    <message>
        <source>They do not save. Lost: %1.</source>
        <translation>它们不会保存。损失：%1。</translation>
    </message>
    <message>
        <source>open</source>
        <translation>已开放</translation>
    </message>
    <message>
        <source>opens at %1, or when one hangs</source>
        <translation>%1 开放，或有 rank 挂起时</translation>
    </message>
    <message>
        <source>%1 ranks logged the exit; %2</source>
        <translation>%1 个 rank 已记录退出；%2</translation>
    </message>
    <message>
        <source>Stop cannot finish: %1</source>
        <translation>停止无法完成：%1</translation>
    </message>
    <message>
        <source>No rank can confirm any more.</source>
        <translation>已没有 rank 能够确认。</translation>
    </message>
    <message>
        <source>No rank is left to cancel.</source>
        <translation>取消已无 rank 可以送达。</translation>
    </message>
    <message>
        <source>%1 ranks have confirmed; the others cannot go on without them.</source>
        <translation>%1 个 rank 已确认退出；其余 rank 没有它们无法继续。</translation>
    </message>
    <message>
        <source>Not all ranks can confirm: %1.</source>
        <translation>并非所有 rank 都能确认：%1。</translation>
    </message>
    <message>
        <source>Cancelling removes the request, but the run cannot go on without them. End the rest and resume.</source>
        <translation>取消只会收回请求；缺少它们训练无法继续。请结束其余 rank 并断点续训。</translation>
    </message>
    <message>
        <source>%1; no contact with ranks %2</source>
        <translation>%1；rank %2 无消息</translation>
    </message>
    <message>
        <source>still 1; set back to 0 when the stop has ended</source>
        <translation>仍为 1，停止结束后恢复为 0</translation>
    </message>
    <message>
        <source>as far as is known: ranks %1 do not answer and may have read the flag.</source>
        <translation>但仅就已知而言：rank %1 没有消息，可能已读取该标志。</translation>
    </message>
    <message>
        <source>%1 ranks were asked</source>
        <translation>已请求 %1 个 rank</translation>
    </message>
    <message>
        <source>No node answers.</source>
        <translation>没有节点应答。</translation>
    </message>
    <message>
        <source>Ranks may have read the flag; a cancel reaches a node only when it answers again.</source>
        <translation>rank 可能已读取标志；节点恢复应答后取消才能送达。</translation>
    </message>
    <message>
        <source>Stop failed: %1 ranks died</source>
        <translation>停止失败：%1 个 rank 异常退出</translation>
    </message>
    <message numerus="yes">
        <source>%n rank(s) died</source>
        <translation>
            <numerusform>%n 个 rank 异常退出</numerusform>
        </translation>
    </message>
    <message>
        <source>The ranks had confirmed, but died before they ended.</source>
        <translation>各 rank 已确认，但在退出前异常终止。</translation>
    </message>
    <message>
        <source>%1 ranks confirmed</source>
        <translation>%1 rank 已确认</translation>
    </message>
    <message>
        <source>%1 ranks have left</source>
        <translation>%1 rank 已退出</translation>
    </message>
    <message>
        <source>Not stopped: %1</source>
        <translation>未停止：%1</translation>
    </message>
    <message>
        <source>Stop not proven: %1</source>
        <translation>停止未证实：%1</translation>
    </message>
    <message>
        <source>the stop file exists on %1 nodes</source>
        <translation>停止文件在 %1 个节点上存在</translation>
    </message>
    <message>
        <source>the signal is being sent</source>
        <translation>正在发送信号</translation>
    </message>
    <message>
        <source>the stop file is being created</source>
        <translation>正在创建停止文件</translation>
    </message>
    <message>
        <source>the script saves nothing when it is stopped</source>
        <translation>脚本在停止时不保存</translation>
    </message>
    <message>
        <source>Stop file</source>
        <translation>停止文件</translation>
    </message>
    <message>
        <source>removed on %1 nodes</source>
        <translation>已在 %1 个节点上删除</translation>
    </message>
    <message>
        <source>is removed when all are gone</source>
        <translation>全部退出后删除</translation>
    </message>
    <message>
        <source>Stopped without a save</source>
        <translation>已停止；未要求保存</translation>
    </message>
    <message>
        <source>Stopping: %1</source>
        <translation>退出中：%1</translation>
    </message>
    <message>
        <source>Not all ranks can stop: %1.</source>
        <translation>并非所有 rank 都能自行停止：%1。</translation>
    </message>
    <message>
        <source>The run cannot go on without them. End the rest and resume.</source>
        <translation>缺少它们训练无法继续。请结束其余 rank 并续训。</translation>
    </message>
    <message>
        <source>The stop file is still there.</source>
        <translation>停止文件仍然存在。</translation>
    </message>
    <message>
        <source>as far as is known: no rank is running.</source>
        <translation>就目前所知：没有看到任何 rank 在运行。</translation>
    </message>
    <message>
        <source>until a rank sees the stop file.</source>
        <translation>直到有 rank 看到停止文件。</translation>
    </message>
    <message>
        <source>Cannot be taken back.</source>
        <translation>无法撤回。</translation>
    </message>
    <message>
        <source>A signal that was delivered cannot be recalled. Whether the ranks stop depends on the script.</source>
        <translation>已送达进程的信号无法收回；rank 是否停止取决于脚本。</translation>
    </message>
    <message>
        <source>A rank has already left; removing the stop file would not bring it back.</source>
        <translation>已有 rank 退出；删除停止文件也无法将其召回。</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::Table</name>
    <message>
        <source>Copy the &amp;cell</source>
        <translation>复制单元格(&amp;C)</translation>
    </message>
    <message>
        <source>Copy the &amp;row</source>
        <translation>复制行(&amp;R)</translation>
    </message>
    <message>
        <source>Copy the whole &amp;table</source>
        <translation>复制整个表格(&amp;T)</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::TensorsModel</name>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>At byte</source>
        <translation>位于字节</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::VerdictHeader</name>
    <message>
        <source>Verdict of the set</source>
        <translation>整组判定</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::WindowActions</name>
    <message>
        <source>&amp;Open job file…</source>
        <translation>打开作业文件(&amp;O)…</translation>
    </message>
    <message>
        <source>Choose &amp;hosts…</source>
        <translation>选择主机(&amp;H)…</translation>
    </message>
    <message>
        <source>Start the &amp;demo cluster</source>
        <translation>启动演示集群(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Close the job</source>
        <translation>关闭作业(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出程序(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>Same as the &amp;desktop</source>
        <translation>跟随桌面(&amp;D)</translation>
    </message>
    <message>
        <source>Redraw &amp;less often (twice a second)</source>
        <translation>平静绘制（每秒 2 次）(&amp;C)</translation>
    </message>
    <message>
        <source>Stop gracefully</source>
        <translation>优雅退出</translation>
    </message>
    <message>
        <source>Show the s&amp;top</source>
        <translation>显示退出(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Resume…</source>
        <translation>断点续训(&amp;R)…</translation>
    </message>
    <message>
        <source>Show the &amp;proof</source>
        <translation>显示证实(&amp;P)</translation>
    </message>
    <message>
        <source>Do the &amp;action of the pane</source>
        <translation>执行面板操作(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Whole plan</source>
        <translation>完整计划(&amp;W)</translation>
    </message>
    <message>
        <source>Close the pane, clear the selection</source>
        <translation>关闭面板，清除选择</translation>
    </message>
    <message>
        <source>&amp;Find in the tab</source>
        <translation>在标签页查找(&amp;F)</translation>
    </message>
    <message>
        <source>Find ne&amp;xt</source>
        <translation>查找下一个(&amp;X)</translation>
    </message>
    <message>
        <source>&amp;Next pane</source>
        <translation>下一面板(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Previous pane</source>
        <translation>上一面板(&amp;P)</translation>
    </message>
    <message>
        <source>All actions by &amp;name…</source>
        <translation>按名称的所有操作(&amp;N)…</translation>
    </message>
    <message>
        <source>Sh&amp;ow the failure</source>
        <translation>显示故障(&amp;O)</translation>
    </message>
    <message>
        <source>Connect lost nodes &amp;now</source>
        <translation>立即重连断开的节点(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Keys</source>
        <translation>快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;About Rankdeck</source>
        <translation>关于 Rankdeck(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Job</source>
        <translation>作业(&amp;J)</translation>
    </message>
    <message>
        <source>&amp;Recent jobs</source>
        <translation>最近的作业(&amp;R)</translation>
    </message>
    <message>
        <source>Open &amp;history offline</source>
        <translation>离线打开历史(&amp;H)</translation>
    </message>
    <message>
        <source>Demo &amp;faults</source>
        <translation>演示故障(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>R&amp;anks</source>
        <translation>Rank(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Checkpoints</source>
        <translation>Checkpoint(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Recover</source>
        <translation>恢复(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Window</source>
        <translation>窗口(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Signs and gestures</source>
        <translation>图例与手势(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Incident report…</source>
        <translation>事故报告(&amp;I)…</translation>
    </message>
    <message>
        <source>Save the c&amp;urve…</source>
        <translation>保存曲线(&amp;U)…</translation>
    </message>
    <message>
        <source>S&amp;ettings…</source>
        <translation>设置(&amp;E)…</translation>
    </message>
    <message>
        <source>Edi&amp;t the job file…</source>
        <translation>编辑作业文件(&amp;T)…</translation>
    </message>
    <message>
        <source>Copy &amp;diagnostics…</source>
        <translation>复制诊断信息(&amp;D)…</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::WindowWords</name>
    <message>
        <source>press &quot;%1&quot;</source>
        <translation>按“%1”</translation>
    </message>
    <message>
        <source>(tick &quot;%1&quot;)</source>
        <translation>（勾选“%1”）</translation>
    </message>
    <message>
        <source>the deck shows</source>
        <translation>时间轴显示</translation>
    </message>
    <message>
        <source>Continue anyway</source>
        <translation>仍然继续</translation>
    </message>
    <message>
        <source>Use it although it is unproven</source>
        <translation>虽未证实仍然使用</translation>
    </message>
    <message>
        <source>Cancel the stop</source>
        <translation>撤销停止</translation>
    </message>
    <message>
        <source>set %2</source>
        <translation>整组 %2</translation>
    </message>
    <message>
        <source>set %4 (epoch %2, step %3)</source>
        <translation>整组 %4（epoch %2，step %3）</translation>
    </message>
    <message>
        <source>the number of ranks</source>
        <translation>rank 数</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::Words</name>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 分</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 小时</translation>
    </message>
    <message>
        <source>%1 d</source>
        <translation>%1 天</translation>
    </message>
    <message>
        <source>%1 ago</source>
        <translation>%1前</translation>
    </message>
    <message>
        <source>%1 device-hours</source>
        <translation>%1 卡时</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1/%2</translation>
    </message>
    <message>
        <source>VALID</source>
        <translation>有效</translation>
    </message>
    <message>
        <source>VALID-UNPROVEN</source>
        <translation>有效（未证实）</translation>
    </message>
    <message>
        <source>IN-PROGRESS</source>
        <translation>保存中</translation>
    </message>
    <message>
        <source>INCOMPLETE</source>
        <translation>不完整</translation>
    </message>
    <message>
        <source>INCONSISTENT</source>
        <translation>不一致</translation>
    </message>
    <message>
        <source>CORRUPT</source>
        <translation>已损坏</translation>
    </message>
    <message>
        <source>UNKNOWN</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>ok</source>
        <translation>完好</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>being written</source>
        <translation>写入中</translation>
    </message>
    <message>
        <source>torn</source>
        <translation>损坏</translation>
    </message>
    <message>
        <source>mismatch</source>
        <translation>不符</translation>
    </message>
    <message>
        <source>unreadable</source>
        <translation>不可读</translation>
    </message>
    <message>
        <source>served by a replica</source>
        <translation>由副本提供</translation>
    </message>
    <message>
        <source>not read yet</source>
        <translation>尚未读取</translation>
    </message>
    <message>
        <source>queued</source>
        <translation>排队</translation>
    </message>
    <message>
        <source>connecting</source>
        <translation>连接中</translation>
    </message>
    <message>
        <source>needs you</source>
        <translation>需要您</translation>
    </message>
    <message>
        <source>live</source>
        <translation>在线</translation>
    </message>
    <message>
        <source>stale</source>
        <translation>失联</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>断开</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>unsupported</source>
        <translation>不支持</translation>
    </message>
    <message>
        <source>periodic</source>
        <translation>周期</translation>
    </message>
    <message>
        <source>graceful exit</source>
        <translation>优雅退出</translation>
    </message>
    <message>
        <source>breakpoint</source>
        <translation>临终 CKPT</translation>
    </message>
    <message>
        <source>TTP</source>
        <translation>TTP</translation>
    </message>
    <message>
        <source>other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>epoch %1 step %2</source>
        <translation>epoch %1 step %2</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>NaN or Inf</source>
        <translation>NaN 或 Inf</translation>
    </message>
    <message>
        <source>Graceful exit</source>
        <translation>优雅退出</translation>
    </message>
    <message>
        <source>Loaded</source>
        <translation>已加载</translation>
    </message>
    <message>
        <source>UCE</source>
        <translation>UCE</translation>
    </message>
    <message>
        <source>HCCE</source>
        <translation>HCCE</translation>
    </message>
    <message>
        <source>Epoch time</source>
        <translation>Epoch 用时</translation>
    </message>
    <message>
        <source>Log begins</source>
        <translation>日志开始</translation>
    </message>
    <message>
        <source>Rank died</source>
        <translation>Rank 故障</translation>
    </message>
    <message>
        <source>Checkpoint saved</source>
        <translation>checkpoint 已保存</translation>
    </message>
    <message>
        <source>Set judged</source>
        <translation>整组已判定</translation>
    </message>
    <message>
        <source>Node changed</source>
        <translation>节点变化</translation>
    </message>
    <message>
        <source>Attempt began</source>
        <translation>运行开始</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>%1 complete</source>
        <translation>%1 完整</translation>
    </message>
    <message>
        <source>now</source>
        <translation>刚刚</translation>
    </message>
    <message>
        <source>%1 device-seconds</source>
        <translation>%1 卡秒</translation>
    </message>
    <message>
        <source>%1 device-minutes</source>
        <translation>%1 卡分</translation>
    </message>
    <message>
        <source>unknown: its node is not listed</source>
        <translation>未知：其节点未能列出</translation>
    </message>
    <message>
        <source>not yet saved</source>
        <translation>尚未保存</translation>
    </message>
    <message>
        <source>Alarm</source>
        <translation>告警</translation>
    </message>
    <message>
        <source>Repaired in place</source>
        <translation>已就地修复</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>Loss scale</source>
        <translation>Loss scale</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>单步耗时</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>吞吐</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>Waits for the scheduler</source>
        <translation>等待调度进程</translation>
    </message>
    <message>
        <source>stated</source>
        <translation>已写明</translation>
    </message>
    <message>
        <source>inferred</source>
        <translation>推断</translation>
    </message>
    <message>
        <source>ambiguous</source>
        <translation>不明确</translation>
    </message>
    <message>
        <source>Stated</source>
        <translation>已写明</translation>
    </message>
    <message>
        <source>Whole</source>
        <translation>完整</translation>
    </message>
    <message>
        <source>Equal</source>
        <translation>一致</translation>
    </message>
    <message>
        <source>Lawful</source>
        <translation>合规</translation>
    </message>
    <message>
        <source>Unique</source>
        <translation>唯一</translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::ZeroQuestion</name>
    <message>
        <source>No evidence that the set is loaded</source>
        <translation>没有证据表明会加载该检查点集</translation>
    </message>
    <message>
        <source>The script may train from zero and overwrite the old checkpoints.</source>
        <translation>这可能会从零开始训练，并覆盖旧的检查点。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
</TS>
